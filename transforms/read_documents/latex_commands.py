"""Says what LaTeX commands and environments do to running text."""

from __future__ import annotations

# Left out, with this many arguments.
DROPPED = {
    **dict.fromkeys(
        [
            *("label", "ref", "eqref", "pageref", "autoref", "cref", "Cref", "vref"),
            *("nameref", "subref", "hypertarget", "index", "includegraphics"),
            *("caption", "graphicspath", "vspace", "hspace", "vskip", "hskip"),
            *("usepackage", "RequirePackage", "thanks", "documentclass"),
            *("documentstyle", "usetikzlibrary", "author", "affiliation"),
            *("PassOptionsToPackage", "affil", "address", "email", "institute"),
            *("date", "institution", "orcid", "orcidlink", "keywords", "keyword"),
            *("ead", "authornote", "correspondingauthor", "altaffiliation"),
            *("shorttitle", "shortauthors", "runninghead", "titlerunning"),
            *("authorrunning", "doi", "journal", "received", "revised", "accepted"),
            *("published", "subjclass", "editor", "editors", "acmDOI", "acmISBN"),
            *("pagestyle", "thispagestyle", "pagenumbering", "bibliographystyle"),
            *("stepcounter", "refstepcounter", "color", "selectlanguage"),
            *("hypersetup", "geometry", "lstset", "captionsetup", "markright"),
            *("fancyhead", "fancyfoot", "lhead", "rhead", "chead", "lfoot", "rfoot"),
            *("cfoot", "todo", "marginpar", "marginnote", "deleted", "sout"),
            *("phantom", "hphantom", "vphantom", "newcounter", "newlength", "tag"),
            *("theoremstyle", "setcitestyle", "citestyle", "hyphenation"),
            *("ExecuteBibliographyOptions", "allowdisplaybreaks", "includeonly"),
            *("dedication", "jname", "jyear", "jvol", "jdoi", "facilities"),
            *("facility", "software", "enlargethispage", "setstretch", "linespread"),
            *("tikzset", "AtBeginDocument", "AtEndDocument", "lstinputlisting"),
            *("verbatiminput", "bibdata", "PACS", "pacs", "footnotemark", "cline"),
            *("cmidrule", "preprint", "setlist", "ccsdesc", "setlistdepth"),
        ],
        1,
    ),
    **dict.fromkeys(
        [
            *("setlength", "addtolength", "setcounter", "addtocounter", "colorlet"),
            *("markboth", "newtheorem", "fontsize", "captionof", "newcolumntype"),
            *("numberwithin", "DeclareMathOperator", "DeclareUnicodeCharacter"),
            *("DeclareAcronym", "newglossaryentry", "acrodef", "acro"),
            *("DeclareFieldFormat", "renewbibmacro", "defcitealias", "crefrange"),
            *("Crefrange", "DeclareCaptionFormat", "pdfbookmark", "rule"),
        ],
        2,
    ),
    **dict.fromkeys(
        [
            *("definecolor", "addcontentsline", "newacronym", "newenvironment"),
            *("renewenvironment", "acmConference", "NewDocumentCommand"),
            *("RenewDocumentCommand", "crefname", "Crefname", "newlist"),
        ],
        3,
    ),
    **{"titlespacing": 4, "titleformat": 5, "abstract": 5, "bibpunct": 6},
}
# Printed but for their first arguments, which say how.
STYLED = {
    **{"textcolor": 1, "colorbox": 1, "fcolorbox": 2, "raisebox": 1, "resizebox": 2},
    **{"scalebox": 1, "parbox": 1, "rotatebox": 1, "adjustbox": 1, "hyperlink": 1},
    **{"foreignlanguage": 1, "href": 1, "multicolumn": 2, "multirow": 2},
}
# Printed is one argument only.
FIRST_OF_TWO = frozenset(["texorpdfstring", "replaced"])
SECOND_OF_THREE = frozenset(["ifthenelse", "ifdefempty", "ifstrempty", "ifstrequal"])

HEADINGS = {
    **{"part": 1, "chapter": 2, "section": 3, "subsection": 4, "subsubsection": 5},
    **{"paragraph": 6, "subparagraph": 7, "addchap": 2, "addsec": 3},
}
FOOTNOTES = frozenset(["footnote", "footnotetext", "endnote", "tablenote"])
INPUTS = frozenset(["input", "include", "subfile", "subfileinclude"])
IMPORTS = frozenset(["import", "subimport", "includefrom", "subincludefrom"])
BIBLIOGRAPHIES = frozenset(
    ["bibliography", "addbibresource", "addglobalbib", "nobibliography"]
)

# Left out with all they hold.
DROPPED_ENVIRONMENTS = frozenset(
    [
        *("figure", "table", "wrapfigure", "wraptable", "SCfigure", "SCtable"),
        *("sidewaysfigure", "sidewaystable", "marginfigure", "margintable"),
        *("teaserfigure", "deluxetable", "longtable", "longtabu", "supertabular"),
        *("tabular", "tabularx", "tabulary", "tabu", "tblr", "threeparttable"),
        *("rotatetable", "splitdeluxetable", "floatrow", "subfigure", "array"),
        *("tikzpicture", "pspicture", "picture", "pgfpicture", "forest", "tikzcd"),
        *("equation", "align", "alignat", "gather", "multline", "eqnarray", "flalign"),
        *("displaymath", "math", "dmath", "IEEEeqnarray", "split", "subequations"),
        *("algorithm", "algorithmic", "algorithm2e", "alltt", "lstlisting", "minted"),
        *("abstract", "keyword", "keywords", "IEEEkeywords", "CCSXML", "highlights"),
        *("filecontents", "titlepage", "biblist", "thebibliography", "refsection*"),
        *("references", "thenomenclature", "comment", "html", "rawhtml"),
    ]
)
ENVIRONMENT_ARGUMENTS = {
    **{"minipage": 1, "multicols": 1, "adjustwidth": 2, "list": 2, "spacing": 1},
    **{"textblock": 1, "otherlanguage": 1, "CJK": 2, "addmargin": 1, "labeling": 1},
    **{"changemargin": 2},
}
