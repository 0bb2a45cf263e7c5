"""The stack file as it is written: values, lines, secrets, and mistakes of YAML itself."""

import time
from pathlib import Path

import pytest

from tessera.errors import ProblemsError, TesseraError
from tessera.spec.document import read
from tessera.spec.secret import Secret
from tessera.spec.stack import read_file

HEAD = "config:\n  tessera:cluster: {service: lab}\n"
ALIASES = "".join(
    f"    {chr(98 + at)}: &{chr(98 + at)} {{{', '.join(f'k{n}: *{chr(97 + at)}' for n in range(9))}}}\n"
    for at in range(12)
)


@pytest.fixture
def file(tmp_path, monkeypatch):
    """Writes a stack file; its path, relative to the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(content):
        path = Path("s.yaml")
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def refused(path):
    with pytest.raises(TesseraError) as refusal:
        read_file(path)
    return str(refusal.value).splitlines()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "s.yaml: is empty; allowed: a mapping with `config:`"),
        ("# nothing\n", "s.yaml: is empty; allowed: a mapping with `config:`"),
        ("encryptionsalt: x\n", "s.yaml:1: config: missing; allowed: a mapping"),
        ("- a\n", "s.yaml:1: found a list; allowed: a mapping with `config:`"),
        ("hello\n", "s.yaml:1: found 'hello'; allowed: a mapping with `config:`"),
        (
            "\nconfg: {}\n",
            "s.yaml:2: unknown key 'confg' (did you mean 'config'?); "
            "allowed: config, encryptedkey, encryptionsalt, environment, secretsprovider",
        ),
        ("config:\n", "s.yaml:1: config: found nothing; allowed: a mapping with tessera:cluster, tessera:pools ..."),
        ("config:\n\ttessera:pools: []\n", "s.yaml:2: is not YAML: a tab indents this line; YAML takes spaces only"),
        (f"{HEAD}  a:\n\t  b: 1\n", "s.yaml:4: is not YAML: a tab indents this line; YAML takes spaces only"),
        ("a:\nb: \x07", "s.yaml:2: is not YAML: character U+0007 is not allowed"),
        (b"config:\n a: \xff\xfe", "s.yaml:2: byte 5 of this line is not UTF-8"),
        (f"{HEAD}  tessera:pools: 'a\n", "s.yaml:4: is not YAML: a quote is opened here and never closed"),
        (
            f"{HEAD}  tessera:pools: a: b\n",
            "s.yaml:3: is not YAML: a colon stands where no key can be; indent the line or quote it",
        ),
        (f"{HEAD}  tessera:pools: @a\n", "s.yaml:3: is not YAML: a value can't begin with '@'; quote it"),
        (f"{HEAD}  tessera:pools: *a\n", "s.yaml:3: is not YAML: found undefined alias"),
        (f"{HEAD}---\na: 1\n", "s.yaml:3: is not YAML: a second document begins here; allowed: one"),
        (f"{HEAD}  tessera:pools: {'[' * 10**4}", "s.yaml:3: is not YAML: is nested too deeply"),
        (
            f"{HEAD}  tessera:pools: []\n  tessera:pools: []\n",
            "s.yaml:4: tessera:pools: is there twice, first in line 3; keep one",
        ),
        (
            f"{HEAD}  tessera:pools: []\n  tessera:overrides: {{a: {{b: 2026-11-30}}}}\n",
            "s.yaml:4: tessera:overrides.a.b: found 2026-11-30, which the engine reads in a way of its own; "
            "put it in quotes",
        ),
        (
            f"{HEAD}  tessera:pools: []\n  tessera:overrides: {{a: {{b: .inf}}}}\n",
            "s.yaml:4: tessera:overrides.a.b: found .inf, which the engine reads in a way of its own; put it in quotes",
        ),
        (f"{HEAD}  tessera:pools: &p [*p]\n", "s.yaml:3: tessera:pools[0]: contains itself"),
        (f"{HEAD}  tessera:pools: &p {{<<: *p}}\n", "s.yaml:3: tessera:pools: contains itself"),
        (f"{HEAD}  tessera:pools: !foo []\n", "s.yaml:3: tessera:pools: has the tag '!foo'; allowed: none"),
        (
            f"{HEAD}  tessera:pools: !!python/object:os.system []\n",
            "s.yaml:3: tessera:pools: has the tag 'tag:yaml.org,2002:python/object:os.system'; allowed: none",
        ),
        (
            f"{HEAD}  tessera:pools: []\n  tessera:overrides:\n    a: &a {{x: [1, 2, 3, 4, 5]}}\n{ALIASES}",
            "s.yaml:5: tessera:overrides: stands for more than 2000000 values; write out what aliases repeat",
        ),
        (
            f"{HEAD}  tessera:pools: {{secure: v1:abc}}\n",
            "s.yaml:3: tessera:pools: found an encrypted value; allowed: a list",
        ),
        (
            "encryptionsalt: a\nencryptionsalt: b\nconfig:\n  tessera:cluster: {service: lab}\n  tessera:pools: []\n",
            "s.yaml:2: encryptionsalt: is there twice, first in line 1; keep one",
        ),
        (
            "config:\n  tessera:cluster: {service: lab}\n  pools: []\n",
            "s.yaml:3: config: unknown key 'pools'; did you mean 'tessera:pools'?",
        ),
        (
            "config:\n  tessera:cluster: {service: lab}\n  Tesera:pools: []\n",
            "s.yaml:3: config: unknown key 'Tesera:pools'; did you mean 'tessera:pools'?",
        ),
        (
            "config:\n  tessera:cluster: {service: lab}\ntessera:pools: []\n",
            "s.yaml:3: tessera:pools: stands beside `config:`; allowed: inside it, indented",
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_line(file, text, line):
    assert refused(file(text)) == [line]


def test_what_stands_in_the_wrong_place_is_read_all_the_same(file):
    found = refused(
        file("config:\n  tessera:cluster: {service: lab}\ntessera:pools:\n  - {name: a, size: 1, board: x}\n")
    )
    assert [line.partition(" ")[0] for line in found] == ["s.yaml:3:", "s.yaml:4:"]


def test_a_file_that_can_not_be_read_is_one_sentence(file, tmp_path):
    assert refused(Path("no.yaml")) == ["no.yaml: can't be read (No such file or directory)"]
    assert refused(tmp_path) == [f"{tmp_path}: can't be read (Is a directory)"]


def test_aliases_that_stand_for_billions_are_refused_at_once(file):
    path = file(f"{HEAD}  tessera:pools: []\n  tessera:overrides:\n    a: &a {{x: [1, 2, 3, 4, 5]}}\n{ALIASES}")
    started = time.process_time()
    assert len(refused(path)) == 1
    assert time.process_time() - started < 5  # written out, it would take years


def test_encrypted_leaves_stay_references(file):
    secrets = "  tessera:site: {pullSecret: {secure: v1:abc}}\n  tessera:overrides: {a: {b: [{secure: v1:x}]}}\n"
    document = read(file(HEAD + secrets))
    assert document.values["site"] == {"pullSecret": Secret("tessera:site.pullSecret")}
    assert document.values["overrides"] == {"a": {"b": [Secret("tessera:overrides.a.b[0]")]}}
    with pytest.raises(TesseraError, match=r"^tessera:site\.pullSecret: is encrypted; only the program can read it"):
        document.values["site"]["pullSecret"].reveal()


def test_keys_of_other_parts_of_pulumi_are_left_alone(file):
    assert not read(file(f"{HEAD}  aws:region: us-east-1\n  tessera:pools: []\nencryptionsalt: v1:x\n")).problems


def test_anchors_and_merges_are_written_out(file):
    text = f"{HEAD}  tessera:pools:\n    - &a {{name: a, board: hgx-h100, size: 1}}\n    - {{<<: *a, name: b}}\n"
    assert [(pool.name, pool.board) for pool in read_file(file(text)).pools] == [("a", "hgx-h100"), ("b", "hgx-h100")]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.36", 1.36),
        ('"1.36"', "1.36"),
        ("2.0", 2),
        ("1e3", 1000),
        ("0x10", 16),
        ("0o17", 15),
        ("010", 8),
        ("1_000", 1000),
        ("-5", -5),
        ("1:30", "1:30"),
        ("09", 9),
        ('"2026-11-30"', "2026-11-30"),
        ("on", "on"),
        ("No", "No"),
        ("true", True),
        ("False", False),
        ("~", None),
        ("", None),
        (".5", 0.5),
        ("1.2.3", "1.2.3"),
        ("+", "+"),
        ("=", "="),
        ("9" * 301, "9" * 301),
        ("|\n    two\n    lines\n", "two\nlines\n"),
    ],
)
def test_scalars_are_read_as_the_engine_reads_them(file, written, value):
    found = read(file(f"config:\n  tessera:x: {written}\n")).values["x"]
    assert (type(found), found) == (type(value), value)


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("cluster",), 3),
        (("cluster", "service"), 4),
        (("cluster", "nowhere"), 3),
        (("pools",), 5),
        (("pools", 0), 6),
        (("pools", 1, "size"), 8),
        (("pools", 7, "size"), 5),
        (("nowhere",), 2),
    ],
)
def test_a_path_leads_to_its_line_or_to_that_of_what_it_would_be_in(file, path, line):
    cluster = "  tessera:cluster:\n    service: lab\n"
    text = f"# comment\nconfig:\n{cluster}  tessera:pools:\n    - {{name: a}}\n    - name: b\n      size: 1\n"
    assert read(file(text)).line(path) == line


def test_a_byte_order_mark_is_no_mistake(file):
    assert read_file(file(b"\xef\xbb\xbf" + f"{HEAD}  tessera:pools: []\n".encode())).pools == ()


def test_problems_of_the_file_and_of_its_values_are_told_together(file):
    with pytest.raises(ProblemsError) as refusal:
        read_file(file(f"{HEAD}  tessera:pools:\n    - {{name: A, board: hgx-h100, size: 1, size: 2}}\n"))
    assert len(refusal.value.problems) == 2
