"""Tests of the LaTeX reader.  All documents are invented."""

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

from transforms.read_documents import latex
from transforms.read_documents.siblings import NO_SIBLINGS, MemberSiblings
from transforms.records import Section

_BIB = rb"""
@article{ng, author={Ng, Ada and Ode, Tom and Ba, Cy}, title={Warm Wool}, year=2015,
  journal={Journal of Wool}, doi={10.9999/W.1}}
@article{one, author={Tom Ode and Ada Ng}, title={One}, year={2016}}
@article{two, author={Tom Ode and Ada Ng}, title={Two}, year={2016}}
@book{board, author={{Wool Board}}, title={Annual report}, date={2009-03-01}}
@misc{anon, title={On shears}}
"""


def _read(source, *, bib=_BIB, **files):
    members = {
        name.replace("__", "/").replace("_", "."): f for name, f in files.items()
    }
    if bib:
        members["refs.bib"] = bib
    siblings = MemberSiblings(members)
    return latex.read(source.encode(), doc_id="d", path="d.tex", siblings=siblings)


def _anchors(document):
    return [(document.text[a.start : a.end], *a.ref_ids) for a in document.anchors]


_TEXTS = {
    "paragraphs": ("One\ntwo.\n\n  Three.\\par Four.", "One two.\n\nThree.\n\nFour."),
    "preamble": (
        "\\documentclass[a4paper]{article}\n\\usepackage{x}\njunk\n"
        "\\begin{document}Yes.\\end{document} no",
        "Yes.",
    ),
    "comments": ("One % no\n  two\\% done.%\n\nNext.", "One two% done.\n\nNext."),
    "emphasis": ("a \\emph{b \\textbf{c}} {\\it d} e", "a b c d e"),
    "accents": (
        r"\'e \'{e} \`{a} {\"O}z \c{c} \c s \v{s} \~n \^{\i} \H{o} \r a \u{g} \k{a}",
        "é é à Öz ç ş š ñ î ő å ğ ą",
    ),
    "letters": (r"Stra\ss e {\o} \L{}\'od\'z \ae \aa{} \i", "Straße ø Łódź æå ı"),
    "characters": (r"a~b -- c --- \% \& \# \$ \_ \{x\}", "a b – c — % & # $ _ {x}"),
    "quotes": ("``One'' and `two'", "“One” and `two'"),
    "spaces": ("a\\,b\\ c\\\\d\\\\[2pt]e\\\\*f\\quad g\\-h\\/", "a b c d e f gh"),
    "formulas": (
        r"so $\int x$ is \(y_{\frac12}\) and \[no\] $$no$$ here",
        "so is and here",
    ),
    "numbers in formulas": (
        r"$p < 0.05$, $50\%$, \(\sim 3\), $\alpha=.8$, $10^{-3}$, $20^\circ$",
        "p < 0.05, 50%, ~3, α=.8, 10^-3, 20°",
    ),
    "dollars": (r"costs \$5 and $6 or so", r"costs $5 and 6 or so"),
    "displayed formulas": (
        "It is\n\\begin{equation}x\\end{equation}\nwhere "
        "\\begin{align*}y\\end{align*} holds.",
        "It is where holds.",
    ),
    "floats": (
        "a\n\\begin{figure}[t]\\caption{no \\cite{ng}}\\end{figure} "
        "\\begin{table*}\\begin{tabular}{l}no\\end{tabular}\\end{table*}b",
        "a b",
    ),
    "listings": (
        "a \\begin{verbatim}\\end{b} % {\\end{verbatim}b "
        "\\begin{lstlisting}\n$x\n\\end{lstlisting} c",
        "a b c",
    ),
    "code in a line": (r"run \verb|a_b{%\c| now \verb*+x+", r"run a_b{%\c now x"),
    "abstract": ("\\begin{abstract}No.\\end{abstract}Yes.", "Yes."),
    "lists": (
        "Both:\\begin{itemize}[nosep]\\item one\\item[label] two\\end{itemize}after",
        "Both:\n\none\n\nlabel two\n\nafter",
    ),
    "quotations": ("a\\begin{quote}b\\end{quote}c", "a\n\nb\n\nc"),
    "labels": (
        "Wool\\label{a} of \\ref{b} is \\includegraphics[w=1]{x.png}.",
        "Wool of is .",
    ),
    "colours": ("\\textcolor{red}{a} \\color{red}b {\\color{blue} c}", "a b c"),
    "links": (
        "\\href{http://a.example/%7E}{a} \\url{http://b.example/%41_x}",
        "a http://b.example/%41_x",
    ),
    "footnotes": (
        "Wool\\footnote{Or \\emph{fleece}.} is warm.",
        "Wool is warm.\n\nOr fleece.",
    ),
    "title page": ("\\author{No \\and No}\\date{No}\\maketitle Yes.", "Yes."),
    "unknown commands": ("\\foo{a} \\foo[no]{b} \\foo c", "a b c"),
    "unknown environments": ("a \\begin{foo}[no]b\\end{foo} c", "a\n\nb\n\nc"),
    "unmatched braces": ("a } b { c \\emph{d", "a b c d"),
    "branches": (
        "\\newif\\ifdraft\\drafttrue a \\ifdraft b\\else no\\fi{} \\draftfalse"
        "\\ifdraft no\\fi c \\iffalse no \\ifx x y\\fi no \\else d\\fi \\iff",
        "a b c d",
    ),
    "branch without end": ("a \\iffalse b", "a b"),
    "choices": ("\\texorpdfstring{a}{no} \\ifthenelse{no}{b}{no}", "a b"),
    "macros": (
        "\\newcommand{\\wool}{W\\\"ool\\xspace}\\def\\x#1{<#1>}\\let\\y\\wool"
        "\\renewcommand*\\z[2][o]{#1-#2}"
        "\\wool is \\x{a} \\y. \\z{b} \\z[c]{d} \\wool{}s",
        "Wöol is <a> Wöol. o-b c-d Wöols",
    ),
    "macros around formulas": (
        "\\newcommand{\\be}{\\begin{equation}}\\newcommand{\\ee}{\\end{equation}}"
        "\\newcommand{\\eex}{x}a \\be no \\eex\\ee b",
        "a b",
    ),
    "macros for ever": ("a \\def\\x{\\x\\x}\\x b", "a b"),
    "macro with a pattern": ("\\def\\x#1.{no}a", "a"),
    "unfinished": ("a \\newcommand{\\x}[", "a ["),
    "left-over ampersands": ("a & b # c", "a b c"),
    "composed": ("Cafe\u0301", "Café"),
    "nothing": ("", ""),
}  # fmt: skip


@pytest.mark.parametrize(("source", "text"), _TEXTS.values(), ids=_TEXTS)
def test_reads_running_text(source, text):
    assert _read(source).text == text


_CITATIONS = {
    "cite": ("\\cite{ng}", "(Ng et al., 2015)", ["Ng et al., 2015"]),
    "several keys": (
        "\\citep{ng, board}",
        "(Ng et al., 2015; Wool Board, 2009)",
        ["Ng et al., 2015", "Wool Board, 2009"],
    ),
    "letters": (
        "\\citep{one,two}",
        "(Ode & Ng, 2016a; Ode & Ng, 2016b)",
        ["Ode & Ng, 2016a", "Ode & Ng, 2016b"],
    ),
    "notes": (
        "\\citep[see][p.~3]{ng}",
        "(see Ng et al., 2015, p. 3)",
        ["Ng et al., 2015"],
    ),
    "one note": ("\\parencite*[3]{ng}", "(Ng et al., 2015, 3)", ["Ng et al., 2015"]),
    "note in front": (
        "\\citep[e.g.,][]{ng}",
        "(e.g., Ng et al., 2015)",
        ["Ng et al., 2015"],
    ),
    "note that cites": (
        "\\citep[and \\citealt{board}]{ng}",
        "(Ng et al., 2015, and Wool Board, 2009)",
        ["Ng et al., 2015", "Wool Board, 2009"],
    ),
    "narrative": ("\\citet{one} say", "Ode and Ng (2016) say", ["Ode and Ng (2016)"]),
    "narrative with notes": (
        "\\textcite[see][p.~3]{ng}",
        "see Ng et al. (2015, p. 3)",
        ["Ng et al. (2015, p. 3)"],
    ),
    "narrative, several": (
        "\\Citet*{ng,board}",
        "Ng et al. (2015); Wool Board (2009)",
        ["Ng et al. (2015)", "Wool Board (2009)"],
    ),
    "bare": (
        "\\citealp{ng} \\citealt{board} \\fullcite{ng}",
        "Ng et al., 2015 Wool Board, 2009 Ng et al., 2015",
        ["Ng et al., 2015", "Wool Board, 2009", "Ng et al., 2015"],
    ),
    "parts": (
        "\\citeauthor{one} \\citeyear{ng} \\citeyearpar{ng} \\citetitle{ng}",
        "Ode and Ng 2015 (2015) Warm Wool",
        ["Ode and Ng", "2015", "2015", "Warm Wool"],
    ),
    "author, then year": (
        "\\citeauthor{ng}'s (\\citeyear{ng})",
        "Ng et al.'s (2015)",
        ["2015"],
    ),
    "multicite": (
        "\\parencites(see)(end)[a][1]{ng}[2]{board}",
        "(see a Ng et al., 2015, 1; Wool Board, 2009, 2, end)",
        ["Ng et al., 2015", "Wool Board, 2009"],
    ),
    "in a footnote": ("a\\footcite{ng}.", "a(Ng et al., 2015).", ["Ng et al., 2015"]),
    "without author": ("\\citep{anon}", "(On shears, n.d.)", ["On shears, n.d."]),
    "unknown key": ("\\citep{x1} \\citet{x2}", "(x1) x2", ["x1", "x2"]),
    "no key": ("a \\cite{} \\cite b", "a b", []),
    "own command": (
        "\\newcommand{\\eg}[1]{\\citep[e.g.][]{#1}}\\eg{ng}",
        "(e.g. Ng et al., 2015)",
        ["Ng et al., 2015"],
    ),
    "command of a style": ("\\mycite{ng}", "(Ng et al., 2015)", ["Ng et al., 2015"]),
    "in brackets": (
        "\\citetext{see \\citealp{ng}}",
        "(see Ng et al., 2015)",
        ["Ng et al., 2015"],
    ),
    "as a power": ("so$^{\\cite{ng}}$", "so(Ng et al., 2015)", ["Ng et al., 2015"]),
    "over lines": ("\\citep[see %\n ][]{ng,%\n  board}",
        "(see Ng et al., 2015; Wool Board, 2009)",
        ["Ng et al., 2015", "Wool Board, 2009"]),
    "in a heading": (
        "\\section{On \\cite{ng}}",
        "On (Ng et al., 2015)",
        ["Ng et al., 2015"],
    ),
    "settings": ("\\setcitestyle{a}\\citestyle{b}c", "c", []),
}  # fmt: skip


@pytest.mark.parametrize(
    ("source", "text", "marked"), _CITATIONS.values(), ids=_CITATIONS
)
def test_prints_citations(source, text, marked):
    document = _read(source)
    assert document.text == text
    assert [found for found, _ in _anchors(document)] == marked


def test_links_each_key_to_its_entry():
    document = _read("\\citep{two,x,ng} \\citet{two}\\nocite{board,x}")
    assert [key for _, key in _anchors(document)] == ["two", "x", "ng", "two"]
    assert [r.ref_id for r in document.references] == ["two", "ng", "board"]
    assert document.references[1].doi == "10.9999/w.1"


def test_lists_all_entries_that_nocite_asks_for():
    keys = [r.ref_id for r in _read("\\cite{two}\\nocite{*}").references]
    assert keys == ["two", "ng", "one", "board", "anon"]


def test_finds_title_and_sections():
    document = _read(
        '\\title[Short]{On \\emph{w\\"arm}\\\\ wool\\thanks{No}}\\begin{document}\n'
        "\\maketitle Zero.\\section{Methods}\\label{m} One.\\subsection*{Shears} Two."
        "\\paragraph{Wool.} Three.\\section[S]{Results} Four.\n"
        "\\section*{References}\\bibliography{refs}\\end{document}"
    )
    assert document.title == "On wärm wool"
    assert document.text == (
        "Zero.\n\nMethods\n\nOne.\n\nShears\n\nTwo.\n\nWool.\n\nThree.\n\nResults"
        "\n\nFour."
    )
    assert document.sections == (
        Section("Methods", 7, 49),
        Section("Shears", 22, 49),
        Section("Wool.", 36, 49),
        Section("Results", 51, 65),
    )


def test_reads_what_it_inputs():
    document = _read(
        "a \\input{one} b \\include{parts/two}\\subimport{parts/}{three} "
        "\\input{none} c\\input bare\nd",
        one_tex=b"ONE \\input{parts/two.tex}",
        parts__two_tex=b"TWO",
        parts__three_tex=b"THREE\\endinput no",
        bare_tex=b"BARE",
    )
    assert document.text == "a ONE TWO b TWOTHREE cBARE d"


def test_reads_a_subfile_without_what_frames_it():
    document = _read(
        "\\begin{document}a \\subfile{one} b\\end{document}",
        one_tex=b"\\documentclass[d]{subfiles}\\begin{document}c\\end{document}no",
    )
    assert document.text == "a c b"


def test_inputs_end_where_they_go_in_circles():
    one = b"x\\input{one}\\input{two}"
    assert _read("\\input{one}", one_tex=one, two_tex=b"y\\input{one}").text == "xy"


_BIBITEMS = rb"""\begin{thebibliography}{9}
\bibitem[{Ng et~al.(2015{\natexlab{b}})Ng, Ode, \& Ba}]{ng} Ng, A., Ode, T. 2015b,
  J. Wool, 3, doi:10.9999/w.1 % no
\bibitem[Ode \& Ng(2016)]{one}
T.~Ode and A.~Ng. \newblock One. \newblock {\em J. Wool}, 2016.
\bibitem{two} T.~Ode, A.~Ng, and C.~Ba. \newblock Two. \newblock J. Wool, 2017.
\bibitem{three} \bibinfo{author}{Ng, A.}, \bibinfo{author}{Ode, T.},
  \bibinfo{year}{2018}. \bibinfo{title}{Three}. \bibinfo{journal}{J. Wool} 4.
\end{thebibliography}"""
_ENTRIES = [
    ("ng", ("Ng", "Ode", "Ba"), 2015, "b", "", "", "10.9999/w.1"),
    ("one", ("Ode", "Ng"), 2016, "", "One.", "", None),
    ("two", ("Ode, T.", "Ng, A.", "Ba, C."), 2017, "", "Two.", "", None),
    ("three", ("Ng, A.", "Ode, T."), 2018, "", "Three", "J. Wool", None),
]


@pytest.mark.parametrize("place", ["in the document", "beside it", "by input"])
def test_reads_bibitems(place):
    source = "\\cite{ng,one,two,three}"
    if place == "in the document":
        document = _read(f"{source}\n{_BIBITEMS.decode()}", bib=None)
    elif place == "beside it":
        document = _read(source, bib=None, d_bbl=_BIBITEMS)
    else:
        document = _read(source + "\\input{d.bbl}", bib=None, d_bbl=_BIBITEMS)
    assert document.text == (
        "(Ng et al., 2015b; Ode & Ng, 2016; Ode et al., 2017; Ng & Ode, 2018)"
    )
    found = [
        (r.ref_id, r.authors, r.year, r.year_suffix, r.title.strip(), r.venue, r.doi)
        for r in document.references
    ]
    assert found == _ENTRIES
    assert document.references[1].raw == "T. Ode and A. Ng. One. J. Wool, 2016."


def test_reads_what_biblatex_writes():
    bbl = rb"""\entry{ng}{article}{}
      \name{author}{2}{}{%
        {{hash=1}{family={Ng}, familyi={N\bibinitperiod}, given={Ada}, giveni={A}}}%
        {{hash=2}{family={\"Od\'e}, given={Tom}}}%
      }
      \field{title}{Warm {Wool}}\field{journaltitle}{J. Wool}\field{year}{2015}
      \verb{doi}
      \verb 10.9999/w.1
      \endverb
    \endentry"""
    (reference,) = _read("\\cite{ng}", bib=None, d_bbl=bbl).references
    assert reference.authors == ("Ng, Ada", "Ödé, Tom")
    assert (reference.title, reference.venue) == ("Warm Wool", "J. Wool")
    assert (reference.year, reference.doi) == (2015, "10.9999/w.1")


_BESIDE = {
    "named": ("\\bibliography{a}", {"a_bib": _BIB, "b_bib": b""}, True),
    "named with others": ("\\bibliography{b, a}", {"a_bib": _BIB, "b_bib": b""}, True),
    "as a resource": ("\\addbibresource[x=y]{a.bib}", {"a_bib": _BIB}, True),
    "the only one": ("", {"a_bib": _BIB}, True),
    "the only one, called otherwise": ("\\bibliography{c}", {"a_bib": _BIB}, True),
    "one of several": ("", {"a_bib": _BIB, "b_bib": b""}, False),
    "outside": ("\\bibliography{../a}", {"a_bib": _BIB, "b_bib": b""}, False),
    "missing": ("\\bibliography{a}", {}, False),
}


@pytest.mark.parametrize(("source", "files", "known"), _BESIDE.values(), ids=_BESIDE)
def test_finds_the_bibliography(source, files, known):
    document = _read(f"\\cite{{ng}}{source}", bib=None, **files)
    assert document.text == ("(Ng et al., 2015)" if known else "(ng)")


def test_cuts_off_a_list_that_is_set_by_hand():
    document = _read(
        "Wool is warm (Ng, 2010).\n\n\\section*{References}\n\n"
        "Ng, A., \\& Ode, T. (2010). Warm wool. \\emph{J. of Wool}, 3(1), 1--9.\n\n"
        "Ode, T. (2011). More wool. \\emph{J. of Wool}, 4(1), 1--9.\n"
    )
    assert document.text == "Wool is warm (Ng, 2010)."
    assert document.reference_text.startswith("Ng, A., & Ode, T. (2010). Warm wool.")


_TOKENS = st.sampled_from(
    [
        *("{", "}", "[", "]", "\\", "$", "$$", "%", "&", "#1", "~", "\n", "\n\n", "*"),
        *("\\cite{ng}", "\\citet[a]{x,ng}", "\\cites(", "\\cite[", "\\begin{figure}"),
        *("\\end{figure}", "\\begin{document}", "\\end{document}", "\\section{"),
        *("\\footnote{", "\\title{", "\\emph{", "\\newcommand{\\x}[1]{", "\\x", "\\x{"),
        *("\\def\\y#1{", "\\y", "\\input{a}", "\\verb|", "\\if", "\\iffalse", "\\fi"),
        *("\\else", "\\'", "\\c", "\\item[", "\\(", "\\[", "\\]", "\\bibitem{ng}", "a"),
        *("\\begin{thebibliography}", "\\newblock", "wool", " ", "(2015)", "\u0301"),
        *(
            "@book{ng,",
            "author={",
            "title=",
            '"',
            "and ",
            "\\bibinfo{author}{",
            "=",
            ",",
        ),
        *(
            "\\entry{ng}{a}{}",
            "\\name{author}{1}{}{",
            "\\field{year}{2015}",
            "@string{",
        ),
    ]
)


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(_TOKENS, max_size=40).map("".join))
def test_reads_whatever_it_is_given(source):
    data = source.encode()
    members = {"a.tex": data, "a.bib": data, "d.bbl": data}
    for siblings in (NO_SIBLINGS, MemberSiblings(members)):
        document = latex.read(data, doc_id="d", path="d.tex", siblings=siblings)
        ends = [0]
        for anchor in document.anchors:
            marked = document.text[anchor.start : anchor.end]
            assert marked and marked == marked.strip()
            assert anchor.start >= ends[-1]
            ends.append(anchor.end)
        for section in document.sections:
            assert document.text.startswith(section.title, section.start)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.sampled_from(["wool ", "\\cite{ng}", "\n\n", "e\u0301", "\\emph{x}"]))
)
def test_anchors_are_where_the_citations_are_printed(pieces):
    document = _read("".join(pieces))
    found = [document.text[a.start : a.end] for a in document.anchors]
    assert found == ["Ng et al., 2015"] * pieces.count("\\cite{ng}")
    assert document.text.count("(Ng et al., 2015)") == len(found)


_ADVERSARIAL = [
    *("{", "}", "\\", "$", "$a", "\\cite{", "\\cite[", "\\begin{figure}", "\\[", "\\("),
    *("\\section{", "\\emph{", "%\n", "\\iftrue ", "\\verb|a", "\\newcommand{\\a}{"),
    *("\\def\\a{\\a\\a}\\a", "\\def\\a#1{#1#1}\\a{", "\\item[", '\\"{', "\\label{"),
    *("\\bibitem[", "\\begin{thebibliography}", "\\input{a}", "\\foo[", "$\\cite"),
    *("\\footnote{", "\\begin{equation}a", "\\cites{a}{b}", "@article{a,t={"),
    *("[", "]", " ", "\n"),
]  # fmt: skip


@pytest.mark.parametrize("unit", _ADVERSARIAL)
def test_takes_linear_time(unit):
    # Super-linear reading would not end here.
    data = (unit * (60_000 // len(unit))).encode()
    siblings = MemberSiblings({"a.tex": data, "a.bib": data, "d.bbl": data})
    assert latex.read(data, doc_id="d", path="d.tex", siblings=siblings).doc_id
