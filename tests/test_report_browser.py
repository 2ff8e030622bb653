"""Tests of the report in a real Chromium, as its readers have it.

Skipped where Chromium or its driver is missing, unless ``REQUIRE_CHROMIUM`` is set.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import time

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

from pipeline.report.build import build_report
from pipeline.report.document_page import page_of
from tests.report_run import golden_rows, repeated, write_run

_BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
_DRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (_BROWSER and _DRIVER) and not os.environ.get("REQUIRE_CHROMIUM"),
    reason="chromium or chromedriver is not installed",
)
_FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")
_WAIT_SECONDS = 20
_HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>"
# WCAG 2.1, success criterion 1.4.3: of text against what is behind it.
_MIN_CONTRAST = 4.5
_CONTRASTS = """
const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parts(getComputedStyle(at).backgroundColor);
    if (colour.length < 4 || colour[3] > 0) return colour;
  }
  return [255, 255, 255];
};
const low = [];
for (const element of document.querySelectorAll("body *")) {
  const isShown = element.checkVisibility() && !element.closest(".hidden, .skip, svg");
  const hasText = [...element.childNodes]
    .some((node) => node.nodeType === 3 && node.data.trim());
  if (!isShown || !hasText || element.disabled) continue;
  const [a, b] = [parts(getComputedStyle(element).color), behind(element)]
    .map(luminance);
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < arguments[0]) low.push([contrast, element.outerHTML.slice(0, 80)]);
}
return low;
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Returns the folder of a report with groups, metadata and a hostile title."""
    rows = repeated(golden_rows(), 60)
    rows["documents"][20]["title"] = _HOSTILE
    folder = write_run(tmp_path_factory.mktemp("browser") / "run", rows)
    return build_report(folder).parent


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    options = webdriver.ChromeOptions()
    options.binary_location = _BROWSER or "chromium"
    for flag in _FLAGS:
        options.add_argument(flag)
    options.set_capability(
        "goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"}
    )
    driver = webdriver.Chrome(options, Service(_DRIVER or "chromedriver"))
    driver.set_window_size(1280, 1000)
    yield driver
    driver.quit()


@pytest.fixture(autouse=True)
def fresh(browser, report):
    """Forgets the marks and what was logged."""
    browser.get((report / "index.html").as_uri())
    browser.execute_script("localStorage.clear()")
    browser.get((report / "index.html").as_uri())
    yield
    for name in ("browser", "performance"):
        browser.get_log(name)


def _open_worst(browser, report):
    """Opens the page of the document that is to be read first; returns its id."""
    browser.get((report / "index.html").as_uri())
    browser.find_element(By.CSS_SELECTOR, "tbody tr th a").click()
    return browser.find_element(By.CSS_SELECTOR, "[data-citation]")


def _shown(browser, name):
    """Returns a column of the rows that are shown, in order."""
    return browser.execute_script(
        "return [...document.querySelectorAll('[data-list] tbody tr')]"
        ".filter((row) => !row.hidden).map((row) => row.dataset[arguments[0]])",
        name,
    )


def _field(browser, name):
    return browser.find_element(By.CSS_SELECTOR, f"[data-filters] [name='{name}']")


def _said(browser):
    return browser.find_element(By.CSS_SELECTOR, "[data-shown]").text


def _choose(browser, name, value):
    Select(_field(browser, name)).select_by_value(value)


def _emulate(browser, **features):
    media = features.pop("media", "")
    listed = [{"name": k.replace("_", "-"), "value": v} for k, v in features.items()]
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"media": media, "features": listed}
    )


def test_pages_ask_for_nothing_and_run_without_a_complaint(browser, report):
    for page in (report / "index.html", *sorted((report / "documents").iterdir())[:8]):
        browser.get(page.as_uri())
    events = [
        json.loads(entry["message"])["message"]
        for entry in browser.get_log("performance")
    ]
    asked = [
        event["params"]["request"]["url"]
        for event in events
        if event["method"] == "Network.requestWillBeSent"
    ]
    assert len(asked) >= 9
    assert all(url.startswith(("file:", "data:")) for url in asked)
    assert browser.get_log("browser") == []


def test_a_hostile_title_is_shown_and_not_run(browser, report):
    row = browser.find_element(By.CSS_SELECTOR, "tr[data-doc^='00020-'] a")
    assert row.text == _HOSTILE
    browser.get(row.get_property("href"))
    assert browser.find_element(By.TAG_NAME, "h1").text == _HOSTILE
    assert browser.execute_script("return document.images.length") == 0


def test_a_click_on_a_heading_sorts_and_another_turns_around(browser):
    assert _shown(browser, "rank")[:3] == ["1", "2", "3"]
    heading = browser.find_element(By.CSS_SELECTOR, "th[data-sort='on_topic']")
    for direction, is_reversed in (("descending", True), ("ascending", False)):
        heading.find_element(By.TAG_NAME, "button").click()
        numbers = [int(number) for number in _shown(browser, "on_topic")]
        assert numbers == sorted(numbers, reverse=is_reversed)
        assert heading.get_dom_attribute("aria-sort") == direction
    _choose(browser, "sort", "")
    assert _shown(browser, "rank")[:3] == ["1", "2", "3"]


def test_filters_and_search_narrow_the_list(browser):
    assert _said(browser) == "60 documents"
    assert len(_shown(browser, "rank")) == 50
    browser.find_element(By.CSS_SELECTOR, "[data-more]").click()
    assert len(_shown(browser, "rank")) == 60

    _choose(browser, "band", "systematic_misattribution")
    worst = _shown(browser, "doc")
    assert worst and all("estuary" in doc_id for doc_id in worst)
    assert _said(browser) == f"{len(worst)} of 60 documents fit"
    _field(browser, "q").send_keys("FLOOD marrow 00")
    assert _shown(browser, "doc") == worst
    _field(browser, "q").send_keys(" nowhere")
    assert _shown(browser, "doc") == []
    browser.find_element(By.CSS_SELECTOR, "[data-filters] [type=reset]").click()
    WebDriverWait(browser, _WAIT_SECONDS).until(lambda b: _said(b) == "60 documents")

    _field(browser, "min-leads").send_keys("2")
    assert {int(number) >= 2 for number in _shown(browser, "leads")} == {True}
    browser.find_element(By.CSS_SELECTOR, "[data-filters] [type=reset]").click()
    _choose(browser, "status", "too_short")
    assert set(_shown(browser, "status")) == {"too_short"}


def test_metadata_columns_are_filters(browser):
    labels = {
        label.text.split("\n")[0]: label
        for label in browser.find_elements(By.CSS_SELECTOR, "[data-filters] label")
    }
    journal = labels["journal"].find_element(By.TAG_NAME, "select")
    Select(journal).select_by_visible_text("Journal 3")
    assert _shown(browser, "doc") and all(
        int(doc_id[:5]) % 7 == 3 for doc_id in _shown(browser, "doc")
    )


def test_the_list_is_as_it_was_left(browser):
    _field(browser, "q").send_keys("hygiene")
    browser.find_element(By.CSS_SELECTOR, "th[data-sort='title'] button").click()
    left = _shown(browser, "doc")
    browser.refresh()
    assert _shown(browser, "doc") == left
    assert _field(browser, "q").get_property("value") == "hygiene"
    browser.find_element(By.CSS_SELECTOR, "tbody tr:not([hidden]) th a").click()
    browser.back()
    assert _shown(browser, "doc") == left


def test_marks_outlast_a_reload_and_show_in_the_list(browser, report):
    article = _open_worst(browser, report)
    citation_id = article.get_dom_attribute("data-citation")
    doc_id = article.get_dom_attribute("data-doc")
    article.find_element(By.CSS_SELECTOR, "[value=confirmed]").click()
    article.find_element(By.NAME, "note").send_keys("wrong paper")
    browser.refresh()
    article = browser.find_element(By.CSS_SELECTOR, "[data-citation]")
    assert article.get_dom_attribute("data-citation") == citation_id
    assert article.find_element(By.CSS_SELECTOR, "[value=confirmed]").is_selected()
    assert article.find_element(By.NAME, "note").get_property("value") == "wrong paper"

    browser.get((report / "index.html").as_uri())
    assert browser.find_element(By.CSS_SELECTOR, "[data-marked]").text == "1 mark"
    row = browser.find_element(By.CSS_SELECTOR, f"tr[data-doc='{doc_id}']")
    assert "1 of 8, 1 confirmed" in row.text
    _choose(browser, "reviewed", "confirmed")
    assert _shown(browser, "doc") == [doc_id]
    _choose(browser, "reviewed", "no")
    assert len(_shown(browser, "doc")) == 50 and doc_id not in _shown(browser, "doc")

    article = _open_worst(browser, report)
    article.find_element(By.CSS_SELECTOR, "[data-clear]").click()
    assert browser.find_element(By.CSS_SELECTOR, "[data-marked]").text == "No marks yet"
    assert browser.execute_script("return localStorage.length") == 0


def test_marks_are_exported_without_formulas(browser, report, tmp_path):
    browser.execute_cdp_cmd(
        "Browser.setDownloadBehavior",
        {"behavior": "allow", "downloadPath": str(tmp_path)},
    )
    article = _open_worst(browser, report)
    citation_id = article.get_dom_attribute("data-citation")
    note = '=HYPERLINK("http://x", "a"), é'
    article.find_element(By.CSS_SELECTOR, "[value=false_alarm]").click()
    article.find_element(By.NAME, "note").send_keys(note)
    for name in ("csv", "json"):
        browser.find_element(By.CSS_SELECTOR, f"[data-export-as={name}]").click()
    written = _download(tmp_path / "citation-marks.csv").decode("utf-8-sig")
    (row,) = csv.DictReader(io.StringIO(written, newline=""))
    assert row["note"] == f"'{note}"
    assert row["citation_id"] == citation_id
    (mark,) = json.loads(_download(tmp_path / "citation-marks.json"))
    assert mark["note"] == note
    assert mark["mark"] == row["mark"] == "false_alarm"
    assert mark["grade"] == "low" and mark["triage"] == "off_topic"
    assert mark["doc_id"] == citation_id.split("#")[0]


def _download(path):
    deadline = time.monotonic() + _WAIT_SECONDS
    while not path.exists():
        assert time.monotonic() < deadline, f"{path.name} did not arrive"
        time.sleep(0.05)
    return path.read_bytes()


def test_where_nothing_can_be_kept_the_reader_is_told(browser, report):
    script = browser.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument",
        {
            "source": "Object.defineProperty(window, 'localStorage',"
            " { get() { throw new Error('blocked'); } })"
        },
    )
    try:
        article = _open_worst(browser, report)
        article.find_element(By.CSS_SELECTOR, "[value=checked]").click()
        said = browser.find_element(By.CSS_SELECTOR, "[data-marked]").text
        assert said.startswith("1 mark (") and "export before you leave" in said
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_the_keyboard_reaches_every_term_of_a_claim(browser, report):
    article = _open_worst(browser, report)
    terms = article.find_elements(By.CSS_SELECTOR, "[data-terms] [data-note]")
    assert [term.get_dom_attribute("tabindex") for term in terms].count("0") == 1
    browser.execute_script("arguments[0].focus()", terms[0])
    seen = []
    for _ in terms:
        active = browser.switch_to.active_element
        tip = browser.execute_script(
            "return getComputedStyle(arguments[0], '::after').content", active
        )
        assert tip == f'"{active.get_dom_attribute("data-note")}"' and "points" in tip
        seen.append(active.text)
        active.send_keys(Keys.ARROW_RIGHT)
    assert seen == [term.text for term in terms]
    # From the last, the arrow leads back to the first.
    assert browser.switch_to.active_element == terms[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_is_legible(browser, report, scheme):
    _emulate(browser, prefers_color_scheme=scheme)
    try:
        for page in (
            report / "index.html",
            *sorted((report / "documents").iterdir())[:4],
        ):
            browser.get(page.as_uri())
            assert browser.execute_script(_CONTRASTS, _MIN_CONTRAST) == []
        background = browser.execute_script(
            "return getComputedStyle(document.body).backgroundColor"
        )
        assert (
            background
            == {"light": "rgb(246, 247, 249)", "dark": "rgb(18, 22, 29)"}[scheme]
        )
    finally:
        _emulate(browser)


def test_a_phone_scrolls_in_one_direction_only(browser, report):
    size = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        for page in (
            report / "index.html",
            *sorted((report / "documents").iterdir())[:4],
        ):
            browser.get(page.as_uri())
            width = browser.execute_script(
                "return document.documentElement.scrollWidth"
            )
            assert width <= size["width"]
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_paper_has_no_controls(browser, report):
    _emulate(browser, media="print")
    try:
        assert not browser.find_element(
            By.CSS_SELECTOR, "[data-filters]"
        ).is_displayed()
        assert not browser.find_element(By.CSS_SELECTOR, "[data-export]").is_displayed()
    finally:
        _emulate(browser)


def test_the_next_document_is_a_click_away(browser, report):
    _open_worst(browser, report)
    browser.find_element(By.CSS_SELECTOR, "[rel=next]").click()
    assert "2 of 60 in reading order" in browser.find_element(By.TAG_NAME, "nav").text
    browser.find_element(By.CSS_SELECTOR, "[rel=prev]").click()
    browser.find_element(By.CSS_SELECTOR, ".brand a").click()
    assert browser.current_url.split("#")[0] == (report / "index.html").as_uri()


def test_a_page_has_one_name_for_every_control(browser, report):
    for page in ("index.html", f"documents/{_any_page(report)}"):
        browser.get((report / page).as_uri())
        unnamed = browser.execute_script(
            "return [...document.querySelectorAll('input:not([type=hidden]), select,"
            " button, a')].filter((e) => !(e.labels?.length || e.textContent.trim()"
            " || e.getAttribute('aria-label'))).map((e) => e.outerHTML)"
        )
        assert unnamed == []
        ids = browser.execute_script(
            "return [...document.querySelectorAll('[id]')].map((e) => e.id)"
        )
        assert len(ids) == len(set(ids))


def _any_page(report):
    document = repeated(golden_rows(), 60)["documents"][0]
    return page_of(document["doc_id"])
