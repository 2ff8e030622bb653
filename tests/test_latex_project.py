"""Tests of files beside a document, on disk and in archives.  All text is invented."""

import dataclasses
import gzip
import io
import os
import pickle
import tarfile
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from transforms.read_documents import latex, latex_project
from transforms.read_documents.contents import open_source, read_content
from transforms.read_documents.errors import UnreadableDocument
from transforms.read_documents.formats import detect, read_document
from transforms.read_documents.inputs import Source, expand
from transforms.read_documents.siblings import (
    NO_SIBLINGS,
    FolderSiblings,
    MemberSiblings,
    clean_path,
)

_MAIN = (
    b"\\documentclass{x}\n\\begin{document}"
    b"Warm \\cite{ng}. \\input{more}\\end{document}"
)
_BIB = b"@misc{ng, author={Ng, Ada}, title={Wool}, year=2015}"
_TEXT = "Warm (Ng, 2015). And soft."
_PROJECT = {"main.tex": _MAIN, "more.tex": b"And soft.", "refs.bib": _BIB}


def _zip(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


def _tar(members, *, links=()):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for name, target in links:
            info = tarfile.TarInfo(name)
            info.type, info.linkname = tarfile.SYMTYPE, target
            archive.addfile(info)
    return stream.getvalue()


def _tar_gz(members, **kwargs):
    return gzip.compress(_tar(members, **kwargs))


_PACKERS = {"zip": _zip, "tar": _tar, "tar.gz": _tar_gz}
_PATHS = {
    "as it is": ("a/b.tex", "a/b.tex"),
    "dots": ("./a/./b.tex", "a/b.tex"),
    "up and down": ("a/../b.tex", "b.tex"),
    "backslashes": ("a\\b.tex", "a/b.tex"),
    "out": ("../b.tex", ""),
    "out later": ("a/../../b.tex", ""),
    "absolute": ("/a/b.tex", "a/b.tex"),
    "drive": ("C:/a.tex", ""),
    "NUL": ("a\0b", ""),
    "nothing": ("", ""),
}


@pytest.mark.parametrize(("path", "clean"), _PATHS.values(), ids=_PATHS)
def test_cleans_paths(path, clean):
    assert clean_path(path) == clean


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "home"
    (home / "sub").mkdir(parents=True)
    (home / "a.bib").write_bytes(b"A")
    (home / ".b.bib").write_bytes(b"B")
    (home / "sub" / "c.bib").write_bytes(b"C")
    (tmp_path / "out.bib").write_bytes(b"OUT")
    (home / "link.tex").symlink_to(tmp_path / "out.bib")
    (home / "inner.tex").symlink_to(home / "a.bib")
    os.mkfifo(home / "pipe.tex")
    with (home / "huge.tex").open("wb") as stream:
        stream.truncate(33 << 20)
    return home


_FILES = {
    "beside": ("a.bib", b"A"),
    "below": ("sub/c.bib", b"C"),
    "link inside": ("inner.tex", b"A"),
    "link out": ("link.tex", None),
    "out": ("../out.bib", None),
    "folder": ("sub", None),
    "pipe": ("pipe.tex", None),
    "huge": ("huge.tex", None),
    "missing": ("no.bib", None),
    "odd name": ("a\0", None),
    "lone surrogate": ("\ud800", None),
    "long name": ("a" * 5000, None),
    "no name": ("", None),
}


@pytest.mark.parametrize(("name", "data"), _FILES.values(), ids=_FILES)
def test_reads_only_what_is_in_the_folder(folder, name, data):
    assert FolderSiblings(str(folder)).read(name) == data


def test_lists_what_is_right_beside(folder, monkeypatch):
    assert FolderSiblings(str(folder)).names(".bib") == ("a.bib",)
    assert FolderSiblings(str(folder / "none")).names(".bib") == ()
    monkeypatch.chdir(folder)
    assert FolderSiblings("").names(".bib") == ("a.bib",)
    assert FolderSiblings("").read("a.bib") == b"A"


def test_lists_nothing_in_a_corpus(tmp_path):
    for number in range(1001):
        (tmp_path / f"{number}.bib").touch()
    assert FolderSiblings(str(tmp_path)).names(".bib") == ()


def test_finds_members_from_the_documents_folder():
    siblings = MemberSiblings({"a/x.bib": b"X", "y.bib": b"Y", "a/b/z.bib": b"Z"}, "a")
    assert siblings.names(".bib") == ("x.bib",)
    assert siblings.read("x.bib") == b"X"
    assert siblings.read("../y.bib") == b"Y"
    assert siblings.read("../../y.bib") is None
    assert MemberSiblings({"y.bib": b"Y"}, ".").names(".bib") == ("y.bib",)


def test_a_lone_document_has_no_siblings():
    assert NO_SIBLINGS.read("a") is None
    assert NO_SIBLINGS.names("a") == ()
    assert pickle.loads(pickle.dumps(FolderSiblings("a"))) == FolderSiblings("a")


@pytest.mark.parametrize("pack", _PACKERS.values(), ids=_PACKERS)
@pytest.mark.parametrize("top", ["", "wool/", "a/b/"])
def test_reads_a_project(pack, top):
    data = pack({f"{top}{name}": content for name, content in _PROJECT.items()})
    document = read_document(data, doc_id="d", path="in/d.zip")
    assert (document.text, document.path) == (_TEXT, "in/d.zip")
    assert [r.ref_id for r in document.references] == ["ng"]
    assert document.content_sha256


_FRAGMENT = b"Warm."
_STANDALONE = b"\\documentclass{standalone}\\begin{document}No.\\end{document}"
_WHOLE = b"\\documentclass{x}\\begin{document}Warm.\\end{document}"
_OTHER = b"\\documentclass{x}\\begin{document}No.\\end{document}"
_MAINS = {
    "only one": {"a.tex": _FRAGMENT},
    "with a class": {"a.tex": b"No.", "b.tex": _WHOLE, "c.tex": b"No."},
    "with a body": {"a.tex": b"\\documentclass{x}", "b.tex": _WHOLE},
    "commented out": {"a.tex": b"%\\documentclass{x}\nNo.", "b.tex": _WHOLE},
    "usual name": {"a.tex": _OTHER, "main.tex": _WHOLE, "z.tex": _OTHER},
    "outermost": {"a/main.tex": _OTHER, "z.tex": _WHOLE},
    "no figure": {"a.tex": _STANDALONE, "z/b.tex": _WHOLE},
    "longest": {"a.tex": _OTHER, "b.tex": _WHOLE},
    "no litter": {"__MACOSX/._a.tex": b"\0", "a.tex": _WHOLE, ".b.tex": _OTHER},
}


@pytest.mark.parametrize("members", _MAINS.values(), ids=_MAINS)
def test_finds_the_main_file(members):
    document = latex_project.read(_zip(members), doc_id="d", path="d.zip")
    assert document.text == "Warm."


def _encrypted(data):
    data = bytearray(data)
    data[6] |= 1
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    return bytes(data)


_REFUSED = {
    "no LaTeX": (_zip({"a.bib": _BIB}), r"without a \.tex file"),
    "empty tar": (_tar({"a.png": b"x"}), r"without a \.tex file"),
    "cut short": (_zip(_PROJECT)[:-40], "cut short"),
    "tar cut short": (_tar_gz(_PROJECT)[:-60], "cut short"),
    "encrypted": (_encrypted(_zip({"a.tex": b"a"})), "encrypted"),
    "out of a zip": (_zip({"../a.tex": b"a"}), "lead out"),
    "out of a tar": (_tar({"a/../../b.tex": b"a"}), "lead out"),
    "absolute": (_tar({"/a.tex": b"a"}), "lead out"),
    "zip bomb": (_zip({"a.tex": b"a" * (8 << 20)}), "too large"),
    "tar bomb": (_tar_gz({"a.tex": b"a" * (8 << 20)}), "too large"),
    "bomb aside": (_tar_gz({"a.png": b"a" * (8 << 20), "a.tex": b"a"}), "too large"),
    "large member": (_tar({"a.tex": b"a" * ((32 << 20) + 1)}), "too large"),
    "large members": (
        _tar({f"{n}.tex": b"a" * (30 << 20) for n in "abc"}),
        "too large",
    ),
    "many": (_zip({f"{n}.png": b"" for n in range(5001)}), "too many"),
    "many in a tar": (_tar({f"{n}.png": b"" for n in range(5001)}), "too many"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "reason"), _REFUSED.values(), ids=_REFUSED)
def test_refuses_archives(data, reason):
    with pytest.raises(UnreadableDocument, match=reason):
        read_document(data, doc_id="d", path="d.zip")


def test_leaves_what_is_no_source_packed():
    members = {**_PROJECT, "figure.png": b"a" * (8 << 20)}
    assert read_document(_zip(members), doc_id="d", path="d.zip").text == _TEXT


def test_follows_no_links_in_an_archive():
    data = _tar({"main.tex": b"a\\input{b}"}, links=[("b.tex", "/etc/hostname")])
    assert read_document(data, doc_id="d", path="d.tar").text == "a"


_DETECTED = {
    "suffix": (b"Wool.", "a.TEX"),
    "class": (b"%x\n \\documentclass{x}\n\\begin{document}", "a"),
    "named text": (b"\\documentclass{x}\\begin{document}", "a.txt"),
}


@pytest.mark.parametrize(("data", "path"), _DETECTED.values(), ids=_DETECTED)
def test_detects_latex(data, path):
    assert detect(data, path) is latex.read


@pytest.mark.parametrize("path", ["a.md", "a.txt"])
def test_text_about_latex_is_no_latex(path):
    assert detect(b"Write \\documentclass and \\cite.", path) is not latex.read


def _read_file(path):
    (content,) = open_source(Source(str(path), "d"), None, None, {})
    return read_content(content)


def test_reads_files_beside_a_file(tmp_path):
    for name, data in _PROJECT.items():
        (tmp_path / name).write_bytes(data)
    (tmp_path / "a.md").write_bytes(b"Warm [@ng].")
    assert _read_file(tmp_path / "main.tex").text == _TEXT
    assert _read_file(tmp_path / "a.md").text == "Warm (Ng, 2015)."


def test_rows_have_no_siblings():
    (content,) = open_source(Source(__file__, "d"), None, None, {})
    assert dataclasses.replace(content).siblings == FolderSiblings(
        os.path.dirname(__file__)
    )
    assert read_document(b"[@ng]", doc_id="d", path="refs.md").references == ()


def test_bibliographies_in_a_folder_are_no_documents(tmp_path):
    for name in ("a.tex", "a.bib", "a.bbl", "x.cls", "x.sty", "x.bst", "x.csl"):
        (tmp_path / name).write_bytes(b"x")
    assert [s.doc_id for s in expand([tmp_path]).sources] == ["a.tex"]
    assert [s.doc_id for s in expand([tmp_path / "a.bib"]).sources] == ["a.bib"]


_SEEDS = [pack(_PROJECT) for pack in _PACKERS.values()]


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.sampled_from(_SEEDS),
    st.lists(st.tuples(st.integers(0, 4000), st.binary(max_size=4)), max_size=6),
    st.integers(0, 4000),
)
def test_nothing_but_unreadable_document_comes_out(data, changes, cut):
    for at, new in changes:
        at %= len(data)
        data = data[:at] + new + data[at + len(new) :]
    data = data[: len(data) - cut % len(data)] if cut % 3 == 0 else data
    try:
        document = latex_project.read(data, doc_id="d", path="d.zip")
    except UnreadableDocument as error:
        assert "\n" not in error.reason
        return
    assert document.doc_id == "d"
