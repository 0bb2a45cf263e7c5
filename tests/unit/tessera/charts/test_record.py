"""Recording: what is found in a chart's files without running anything of them."""

import io
import json
import tarfile

import pytest

from tessera.charts import archive, keys
from tessera.charts.record import record
from tessera.charts.tree import Tree
from tessera.errors import TesseraError

from .conftest import SOURCE, files


def said(paths):
    return {keys.join(path) for path in paths}


def packed(content, top="small", kind=tarfile.REGTYPE):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as out:
        for name, text in content.items():
            member = tarfile.TarInfo(f"{top}/{name}" if top else name)
            member.size, member.type = (len(text), kind) if kind == tarfile.REGTYPE else (0, kind)
            member.linkname = "/etc/passwd" if kind != tarfile.REGTYPE else ""
            out.addfile(member, io.BytesIO(text))
    return file.getvalue()


def test_values_have_kind_and_default(small):
    found = {keys.join(path): value.document() for path, value in small.values.items()}
    assert found["image.repository"] == {"type": "string", "default": "example.org/small"}
    assert found["image.tag"] == {"type": "null|string", "default": "v1"}
    assert found["nodeSelector"] == {"type": "map"}
    assert found["args"] == {"type": "list", "length": 2}
    assert found["strategy"] == {"type": "null"}
    assert found["share"] == {"type": "float", "default": 0.5}
    assert found["mode"] == {"type": "string", "default": "fast", "enum": ["fast", "slow"]}
    assert found["extra"] == {"type": "string", "from": "schema"}
    assert found["notice"] == {"type": "string", "default": "{{ .Values.told }}", "tpl": True}
    assert found["text"] == {"type": "string", "length": len("several\nlines\n")}


def test_what_a_chart_inside_adds_stands_below_its_key(small):
    found = {keys.join(path): value.document() for path, value in small.values.items()}
    assert found["worker.size"] == {"type": "int", "default": 3}
    assert found["worker.color"] == {"type": "string", "default": "red", "from": "subchart"}
    assert found["global.region"] == {"type": "string", "default": "north", "from": "subchart"}
    assert [(one.key, one.conditions, one.kind, one.recorded) for one in small.subcharts] == [
        ("worker", ("worker.active",), "folder", True),
        ("remote", ("far.enabled",), "http", False),
    ]


def test_templates_are_followed_through_variables_with_range_and_include(small):
    assert said(small.template_only) == {"hidden", "hidden.deep", "told", "worker.secret"}
    assert said(small.removed) == {"old"}
    assert said(small.unused_helpers_read) == {"idle"}
    assert said(small.never_read) == {"ghost.walks", "worker.unheard"}
    assert said(small.passthrough) == {"security"}
    assert said(small.strict) == {"image"}


def test_images_hooks_crds_and_refusals_are_listed(small):
    assert small.images == ("image.repository + image.tag",)
    assert small.hooks == ("Job *-job pre-install,pre-upgrade",)
    assert small.crds == ("example.org/Small",)
    assert [(one.kind, one.reads) for one in small.refuses] == [("fail", ("old",)), ("fail", ("both", "other"))]


def test_a_dependency_from_elsewhere_is_given_beside(small):
    far = {"Chart.yaml": b"{name: far, version: 3.0.0}", "values.yaml": b"{speed: 9}", "templates/a.yaml": b""}
    tree = record(files(), SOURCE, "1.0.1", [far])
    assert tree.version == "1.0.1"
    assert ("remote", "speed") in tree.values
    assert all(one.recorded for one in tree.subcharts)


def test_a_packed_chart_inside_is_opened(small):
    inner = files()
    worker = {name.removeprefix("charts/worker/"): inner.pop(name) for name in list(inner) if "worker/" in name}
    inner["charts/worker-2.0.0.tgz"] = packed(worker, "worker")
    assert record(inner, SOURCE) == small


def test_archive_and_folder_are_one_and_the_text_is_read_back(small, tmp_path):
    for name, text in files().items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(text)
    (tmp_path.parent / "small.tgz").write_bytes(packed(files()))
    folder = record(archive.read(tmp_path), SOURCE)
    assert folder == record(archive.read(tmp_path.parent / "small.tgz"), SOURCE) == small
    assert Tree.read(folder.text(), "x") == small
    assert Tree.read(folder.text(), "x").text() == folder.text()


@pytest.mark.parametrize(
    ("content", "top", "what"),
    [
        pytest.param({"../evil": b"x"}, "small/..", "leads out of it", id="parent"),
        pytest.param({"/etc/evil": b"x"}, "", "leads out of it", id="absolute"),
        pytest.param({"values.yaml": b"a: 1"}, "small", "has no Chart.yaml", id="no chart"),
    ],
)
def test_an_archive_that_leads_out_or_is_no_chart_is_refused(content, top, what):
    with pytest.raises(TesseraError, match=what):
        archive.unpacked(packed(content, top), "x.tgz")


def test_links_in_an_archive_are_not_followed():
    linked = packed({"Chart.yaml": b""}, kind=tarfile.SYMTYPE)
    with pytest.raises(TesseraError, match=r"has no Chart\.yaml"):
        archive.unpacked(linked, "x.tgz")


def test_links_out_of_a_folder_are_refused(tmp_path):
    (tmp_path / "Chart.yaml").symlink_to("/etc/hostname")
    with pytest.raises(TesseraError, match="leads out of the chart"):
        archive.read(tmp_path)


def test_an_archive_larger_than_any_chart_is_refused(monkeypatch):
    monkeypatch.setattr(archive, "MOST_BYTES", 10)
    with pytest.raises(TesseraError, match="this is no chart"):
        archive.unpacked(packed(files()), "x.tgz")


@pytest.mark.parametrize(
    ("more", "what"),
    [
        pytest.param({"Chart.yaml": "name: small"}, "no name or no version", id="no version"),
        pytest.param({"Chart.yaml": "{name: ../../etc, version: 1.0.0}"}, "names no chart", id="name is a path"),
        pytest.param({"values.yaml": "a: [1"}, "values.yaml: is not YAML", id="no YAML"),
        pytest.param({"values.schema.json": "{"}, "values.schema.json: is not JSON", id="no JSON"),
        pytest.param(
            {"values.yaml": "\n".join(f"a{i}: {{{', '.join(f'k{j}: *n{i}' for j in range(99))}}}" for i in range(0))
             + "a: &n0 {k: 1}\n" + "\n".join(
                 f"b{i}: &n{i + 1} {{{', '.join(f'k{j}: *n{i}' for j in range(20))}}}" for i in range(9))},
            "this is no chart", id="aliases without end",
        ),
        pytest.param({"templates/deep.yaml": "{{ " + "(" * 20000 + " }}"}, "nested too deeply", id="deep template"),
    ],
)  # fmt: skip
def test_a_chart_that_cannot_be_read_is_told(more, what):
    with pytest.raises(TesseraError, match=what):
        record(files(**more), SOURCE)


def test_a_schema_that_refers_to_itself_ends():
    schema = json.dumps({"$ref": "#", "properties": {"a": {"$ref": "#"}}})
    assert record(files(**{"values.schema.json": schema}), SOURCE).chart == "small"


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 2}', '{"format": 1}'], ids=["no JSON", "list", "newer", "cut"])
def test_a_tree_that_is_none_is_named(text):
    with pytest.raises(TesseraError, match=r"^x\.json: .*record the chart anew"):
        Tree.read(text, "x.json")


def test_keys_that_yaml_takes_for_a_truth_are_named_as_helm_names_them():
    tree = record(files(**{"values.yaml": "{on: 1, 5: x}"}), SOURCE)
    assert {("true",), ("5",)} <= tree.values.keys()
