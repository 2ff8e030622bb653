"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];

  // The reviewer's marks, one entry a citation, so that two open pages do not
  // overwrite each other.  Without storage they last as long as the page.
  const prefix = `citation-support/${document.documentElement.dataset.run}/`;
  const storage = (() => {
    try {
      localStorage.setItem(prefix, "");
      localStorage.removeItem(prefix);
      return localStorage;
    } catch {
      const kept = new Map();
      return {
        get length() { return kept.size; },
        key: (at) => [...kept.keys()][at] ?? null,
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => kept.set(key, value),
        removeItem: (key) => kept.delete(key),
        isShortLived: true,
      };
    }
  })();
  const readMark = (id) => {
    try {
      return JSON.parse(storage.getItem(prefix + id)) || {};
    } catch {
      return {};
    }
  };
  const readMarks = () => {
    const ids = [];
    for (let at = 0; at < storage.length; at += 1) {
      const key = storage.key(at);
      if (key.startsWith(prefix)) ids.push(key.slice(prefix.length));
    }
    ids.sort(new Intl.Collator("en", { numeric: true }).compare);
    return ids.map((id) => ({ citation_id: id, ...readMark(id) }));
  };

  // Export.
  const FIELDS = ["citation_id", "doc_id", "mark", "note", "marked_at", "status", "grade",
    "triage", "coverage"];
  const cell = (value) => {
    const text = String(value ?? "");
    // A spreadsheet runs what begins like a formula.
    const safe = /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  };
  const asCsv = (marks) =>
    [FIELDS, ...marks.map((mark) => FIELDS.map((name) => mark[name]))]
      .map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  const asJson = (marks) => JSON.stringify(marks, null, 2) + "\n";
  const download = (name, type, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  };
  let trouble = storage.isShortLived ? "this browser keeps none: export before you leave" : "";
  const showMarked = () => {
    const number = readMarks().length;
    const words = number === 0 ? "No marks yet" : number === 1 ? "1 mark" : `${number} marks`;
    const shown = trouble ? `${words} (${trouble})` : words;
    for (const place of all("[data-marked]")) place.textContent = shown;
    for (const button of all("[data-export-as]")) button.disabled = number === 0;
  };
  for (const place of all("[data-export]")) place.hidden = false;
  for (const button of all("[data-export-as]")) {
    button.addEventListener("click", () => {
      if (button.dataset.exportAs === "csv") {
        // The mark at the start makes spreadsheets read UTF-8.
        download("citation-marks.csv", "text/csv;charset=utf-8", "\ufeff" + asCsv(readMarks()));
      } else {
        download("citation-marks.json", "application/json", asJson(readMarks()));
      }
    });
  }

  // Marks on the page of a document.
  const citations = all("[data-citation]");
  const showMark = (article) => {
    const { mark = "", note = "" } = readMark(article.dataset.citation);
    for (const radio of all("[name=mark]", article)) radio.checked = radio.value === mark;
    const field = one("[name=note]", article);
    if (field !== document.activeElement) field.value = note;
    article.dataset.mark = mark;
  };
  const keepMark = (article) => {
    const { citation, doc, status, grade, triage, coverage } = article.dataset;
    const mark = one("[name=mark]:checked", article)?.value ?? "";
    const note = one("[name=note]", article).value.trim();
    if (mark || note) {
      const marked_at = new Date().toISOString();
      const kept = { doc_id: doc, mark, note, marked_at, status, grade, triage, coverage };
      try {
        storage.setItem(prefix + citation, JSON.stringify(kept));
      } catch {
        trouble = "the last one could not be kept: this browser has no more room for them";
      }
    } else {
      storage.removeItem(prefix + citation);
    }
    article.dataset.mark = mark;
    showMarked();
  };
  for (const article of citations) {
    const form = one("[data-review]", article);
    form.hidden = false;
    form.addEventListener("input", () => keepMark(article));
    form.addEventListener("change", () => keepMark(article));
    form.addEventListener("submit", (event) => event.preventDefault());
    one("[data-clear]", form).addEventListener("click", () => {
      form.reset();
      for (const radio of all("[name=mark]", form)) radio.checked = false;
      one("[name=note]", form).value = "";
      keepMark(article);
    });
    showMark(article);
  }

  // Terms of a claim: one stop of the Tab key, then arrows.
  for (const claim of all("[data-terms]")) {
    const terms = all("[data-note]", claim);
    terms.forEach((term, at) => { term.tabIndex = at ? -1 : 0; });
    claim.addEventListener("keydown", (event) => {
      const at = terms.indexOf(document.activeElement);
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (at < 0 || !step) return;
      event.preventDefault();
      const next = terms[(at + step + terms.length) % terms.length];
      terms[at].tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    });
  }

  // The list.
  const list = one("[data-list]");
  const showReviewed = () => {
    const byDocument = new Map();
    for (const { doc_id: id, mark } of readMarks()) {
      const tally = byDocument.get(id) ?? { marked: 0, confirmed: 0 };
      tally.marked += 1;
      tally.confirmed += mark === "confirmed" ? 1 : 0;
      byDocument.set(id, tally);
    }
    for (const row of all("tbody tr", list)) {
      const { marked = 0, confirmed = 0 } = byDocument.get(row.dataset.doc) ?? {};
      row.dataset.reviewed = marked;
      row.dataset.confirmed = confirmed;
      one("[data-reviewed]", row).textContent = marked === 0 ? "–"
        : `${marked} of ${row.dataset.selected}` + (confirmed ? `, ${confirmed} confirmed` : "");
    }
  };
  const FIRST_ROWS = 50;
  const setUpList = () => {
    const form = one("[data-filters]");
    const more = one("[data-more]");
    const body = one("tbody", list);
    const rows = all("tr", body).map((row) => ({ row, text: row.textContent.toLowerCase() }));
    const headers = all("th[data-sort]", list);
    const collator = new Intl.Collator("en", { numeric: true });
    let isAll = false;

    const titleOf = ({ row }) => one("th", row).textContent;
    // The larger the worse, and the worse the more a reader wants it on top.
    const descends = (key) => key !== "title" && key !== "rank";
    const order = (key, isTurned) => {
      const sign = (descends(key) ? -1 : 1) * (isTurned ? -1 : 1);
      const value = key === "title" ? titleOf : ({ row }) => Number(row.dataset[key]);
      const compare = key === "title"
        ? (a, b) => sign * collator.compare(value(a), value(b))
        : (a, b) => sign * (value(a) - value(b));
      return (a, b) => compare(a, b) || a.row.dataset.rank - b.row.dataset.rank;
    };
    const fits = (wanted) => ({ row, text }) => {
      for (const [name, value] of wanted) {
        const has = row.dataset;
        if (name === "q") {
          if (!value.toLowerCase().split(/\s+/).every((word) => text.includes(word))) return false;
        } else if (name.startsWith("min-")) {
          if (Number(has[name.slice(4)]) < Number(value)) return false;
        } else if (name === "reviewed") {
          const count = Number(value === "confirmed" ? has.confirmed : has.reviewed);
          if ((value === "no") !== (count === 0)) return false;
        } else if (form.elements[name].type === "search") {
          if (!(has[name] ?? "").toLowerCase().includes(value.toLowerCase())) return false;
        } else if (has[name] !== value) {
          return false;
        }
      }
      return true;
    };
    const show = () => {
      const wanted = [...new FormData(form)].filter(([, value]) => value.trim());
      const key = form.elements.sort.value || "rank";
      const isTurned = Boolean(form.elements.turned.value);
      rows.sort(order(key, isTurned));
      const filters = wanted.filter(([name]) => name !== "sort" && name !== "turned");
      const fitting = rows.filter(fits(filters));
      const shown = new Set(isAll ? fitting : fitting.slice(0, FIRST_ROWS));
      for (const entry of rows) {
        entry.row.hidden = !shown.has(entry);
        body.append(entry.row);
      }
      one("[data-shown]").textContent = filters.length
        ? `${fitting.length} of ${rows.length} documents fit` : `${rows.length} documents`;
      more.hidden = shown.size === fitting.length;
      more.textContent = `Show all ${fitting.length}`;
      for (const header of headers) {
        const isIt = header.dataset.sort === key;
        const isDown = descends(key) !== isTurned;
        if (isIt) header.setAttribute("aria-sort", isDown ? "descending" : "ascending");
        else header.removeAttribute("aria-sort");
      }
      // Whoever reloads or comes back finds the list as it was left.
      const state = new URLSearchParams(wanted).toString();
      history.replaceState(null, "", state ? `#?${state}` : location.pathname + location.search);
    };
    const choose = (key) => {
      const { sort, turned } = form.elements;
      const isAgain = (sort.value || "rank") === key;
      turned.value = isAgain && !turned.value ? "1" : "";
      sort.value = key === "rank" ? "" : key;
      show();
    };

    for (const header of headers) {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      button.addEventListener("click", () => choose(header.dataset.sort));
      header.append(button);
    }
    form.hidden = false;
    if (location.hash.startsWith("#?")) {
      for (const [name, value] of new URLSearchParams(location.hash.slice(2))) {
        if (form.elements[name]) form.elements[name].value = value;
      }
    }
    form.elements.sort.addEventListener("change", () => { form.elements.turned.value = ""; });
    form.addEventListener("input", show);
    form.addEventListener("change", show);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => {
      isAll = false;
      form.elements.turned.value = "";
      setTimeout(show);
    });
    more.addEventListener("click", () => { isAll = true; show(); });
    show();
    return show;
  };

  const refresh = () => {
    showMarked();
    citations.forEach(showMark);
    if (list) showReviewed();
  };
  refresh();
  const showList = list ? setUpList() : () => {};
  // Marks made on another page, or before coming back to this one.
  const again = () => { refresh(); showList(); };
  addEventListener("storage", again);
  addEventListener("pageshow", (event) => { if (event.persisted) again(); });
})();
