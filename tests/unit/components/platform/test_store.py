"""Charts from repositories, registries, folders and bundles; each fault is one sentence, and all are told at once."""

import base64
import io
import json
import tarfile

import pytest

from components.platform.store import Store, content_digest, packed
from components.platform.web import Web, certificates, logins
from tessera.errors import ProblemsError, TesseraError
from tessera.platform.plan import Settings, plan
from tessera.recipe.resolved import Component
from tests.platform import standin
from tests.platform.serving import serving

LOGIN = base64.b64encode(b"user:hunter2").decode()


@pytest.fixture
def served(tmp_path):
    (tmp_path / "server").mkdir()
    with serving(tmp_path / "server") as found:
        yield found


@pytest.fixture
def charts(tmp_path):
    folder = tmp_path / "charts"
    standin.write(folder, "kueue", "0.19.2")
    standin.write(folder, "cert-manager", "v1.21.1")
    return folder


def wanted(repository, *more, version="0.19.2"):
    rows = [("kueue", version), *more]
    return plan([Component(chart, chart, version, chart, repository) for chart, version in rows], Settings())


def load(root, repository, *more, version="0.19.2", ca=None, auths=None):
    web = Web(certificates(ca), logins(json.dumps({"auths": auths}) if auths else None))
    said = []
    found = Store(root, web, said.append).load(wanted(repository, *more, version=version))
    return found, said


def refusal(*args, **more):
    with pytest.raises(ProblemsError) as caught:
        load(*args, **more)
    return str(caught.value)


@pytest.mark.parametrize("kind", ["repository", "registry"])
def test_chart_comes_over_the_network_once(kind, served, charts, tmp_path):
    url = getattr(served, kind)("stable", charts)
    found, said = load(tmp_path, url, ("cert-manager", "v1.21.1"), ca=served.ca)
    assert found["kueue"].files == standin.files("kueue", "0.19.2")
    assert said == ["charts: 1 of 2", "charts: 2 of 2"]
    asked = list(served.asked)
    again, _ = load(tmp_path, url, ("cert-manager", "v1.21.1"), ca=served.ca)
    assert (again, served.asked) == (found, asked)


def test_chart_comes_from_a_bundle_or_a_folder(charts, tmp_path):
    bundle, _ = load(tmp_path, str(charts))
    folder = tmp_path / "source" / "kueue"
    for path, text in standin.files("kueue", "0.19.2").items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)
    for repository in (folder.parent, folder):
        found, _ = load(tmp_path, str(repository))
        assert found["kueue"].files == bundle["kueue"].files
        assert (tmp_path / found["kueue"].archive).is_file()


def test_changed_content_of_a_folder_is_another_archive(tmp_path):
    files = {"Chart.yaml": b"name: kueue\nversion: 0.19.2\n"}
    assert packed("kueue", files) == packed("kueue", dict(files))
    assert content_digest(files) != content_digest({**files, "a": b""})


@pytest.mark.parametrize("bearer", [False, True], ids=["basic", "token"])
def test_credentials_of_the_site_open_a_registry(bearer, served, charts, tmp_path):
    url = served.registry("stable", charts)
    served.login, served.bearer = "user:hunter2", bearer
    found, _ = load(tmp_path, url, ca=served.ca, auths={f"https://{served.host}/v2/": {"auth": LOGIN}})
    assert "Chart.yaml" in found["kueue"].files
    assert "hunter2" not in "".join(served.asked)


@pytest.mark.parametrize("kind", ["repository", "registry"])
def test_missing_credentials_are_told(kind, served, charts, tmp_path):
    url = getattr(served, kind)("stable", charts)
    served.login = "user:hunter2"
    said = refusal(tmp_path, url, ca=served.ca)
    assert said == (f"component kueue: {served.host} asks for credentials, which belong into tessera:site.pullSecret")
    wrong = base64.b64encode(b"user:wrong").decode()
    assert "refuses the credentials of" in refusal(tmp_path, url, ca=served.ca, auths={served.host: {"auth": wrong}})


@pytest.mark.parametrize("kind", ["repository", "registry"])
def test_unknown_authority_is_told_with_what_to_set(kind, served, charts, tmp_path):
    said = refusal(tmp_path, getattr(served, kind)("stable", charts))
    assert f"the certificate of {served.host} is not trusted here" in said
    assert "tessera:site.caBundle" in said


@pytest.mark.parametrize("kind", ["repository", "registry", "folder"])
def test_missing_version_is_told_with_those_that_are_there(kind, served, charts, tmp_path):
    url = str(charts) if kind == "folder" else getattr(served, kind)("stable", charts)
    said = refusal(tmp_path, url, ("lws", "0.10.0"), version="0.19.9", ca=served.ca)
    assert said == (
        f"component kueue: chart kueue 0.19.9: {url} has no kueue 0.19.9; it has 0.19.2\n"
        f"component lws: chart lws 0.10.0: {url} has no lws 0.10.0; it has no chart of that name"
    )


def test_place_that_is_no_repository_is_told(served, tmp_path):
    assert "has no index.yaml, so it is no chart repository" in refusal(tmp_path, f"{served.url}/x", ca=served.ca)
    assert "folder nowhere is not there" in refusal(tmp_path, "nowhere")


@pytest.mark.parametrize("place", ["nowhere", "https://127.0.0.1:1/x"], ids=["folder", "repository"])
def test_a_place_that_is_not_there_is_told_once_with_all_who_need_it(place, tmp_path):
    (line,) = refusal(tmp_path, place, *((name, "1.0.0") for name in "abcd")).splitlines()
    assert line.startswith("components a, b, c and 2 more: ")


def test_one_chart_of_two_components_is_told_once_and_named(charts, tmp_path):
    rows = [Component(name, "kueue", "0.19.9", name, str(charts)) for name in ("one", "two")]
    with pytest.raises(ProblemsError) as caught:
        Store(tmp_path, Web(), lambda _: None).load(plan(rows))
    assert str(caught.value).startswith("components one, two: chart kueue 0.19.9: ")


def leading_out():
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("kueue/../../evil"))
    return raw.getvalue()


def with_file(path, text):
    return packed("kueue", {**standin.files("kueue", "0.19.2"), path: text})


REFUSED = {
    "no gzip": (b"no archive", "{where}: is no chart archive (not a gzip file)"),
    "path that leads out": (leading_out(), "{where}: holds a path that leads out of it: 'kueue/../../evil'"),
    "another chart": (
        standin.archive("lws", "0.10.0"),
        "{where}: Chart.yaml says lws 0.10.0, not kueue 0.19.2; {remedy}",
    ),
    "another version": (
        standin.archive("kueue", "0.19.2", shown="0.19.3"),
        "{where}: Chart.yaml says kueue 0.19.3, not kueue 0.19.2; {remedy}",
    ),
    "broken values": (
        with_file("values.yaml", b"a: 1\nb: [1\nc: 2\n"),
        "{where}: values.yaml:3: is no YAML (did not find expected ',' or ']'); mend the chart",
    ),
    "broken values of a chart inside": (
        with_file("charts/inner/values.yaml", b"a: b: c\n"),
        "{where}: charts/inner/values.yaml:1: is no YAML (mapping values are not allowed in this context)",
    ),
    "broken Chart.yaml": (with_file("Chart.yaml", b"name: [\n"), "{where}: Chart.yaml:2: is no YAML ("),
    "control character": (
        with_file("values.yaml", b"a: \x01\n"),
        "{where}: values.yaml: is no YAML (unacceptable character",
    ),
}


@pytest.mark.parametrize("kind", ["repository", "registry", "folder"])
@pytest.mark.parametrize(("content", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused_is_told_in_a_line_and_not_kept(content, said, kind, served, charts, tmp_path):
    (charts / "kueue-0.19.2.tgz").write_bytes(content)
    url = str(charts) if kind == "folder" else getattr(served, kind)("stable", charts)
    (line,) = refusal(tmp_path, url, ca=served.ca).splitlines()
    where = "charts/kueue-0.19.2.tgz" if kind == "folder" else f"what {url} gave"
    remedy = "put the right chart there" if kind == "folder" else "tell who runs it"
    assert line.startswith(f"component kueue: chart kueue 0.19.2: {said.format(where=where, remedy=remedy)}")
    assert not list(tmp_path.rglob(".charts/*"))


def test_broken_chart_of_a_folder_names_its_file(tmp_path):
    (tmp_path / "charts" / "kueue").mkdir(parents=True)
    (tmp_path / "charts" / "kueue" / "Chart.yaml").write_text("name: kueue\nversion: [\n")
    (line,) = refusal(tmp_path, "charts").splitlines()
    assert "charts/kueue: Chart.yaml:3: is no YAML (" in line


def test_unreachable_place_is_told(served, charts, tmp_path):
    assert "127.0.0.1:1 can't be reached" in refusal(tmp_path, "https://127.0.0.1:1/x")


def test_content_that_is_not_what_was_listed_is_refused_and_not_kept(served, charts, tmp_path):
    url = served.repository("stable", charts)
    served.files["/stable/kueue-0.19.2.tgz"] += b"more"
    assert "do not use it" in refusal(tmp_path, url, ca=served.ca)
    assert not list(tmp_path.rglob(".charts/*"))


def test_damaged_archive_is_fetched_again(served, charts, tmp_path):
    url = served.repository("stable", charts)
    found, _ = load(tmp_path, url, ca=served.ca)
    (tmp_path / found["kueue"].archive).write_bytes(b"half")
    assert load(tmp_path, url, ca=served.ca)[0] == found


def test_site_that_holds_no_certificate_or_no_credentials_is_refused(tmp_path):
    with pytest.raises(TesseraError, match=r"site\.caBundle: holds no certificate"):
        certificates(str(tmp_path / "none.pem"))
    with pytest.raises(TesseraError, match=r"site\.pullSecret: is no \.dockerconfigjson"):
        logins("{}")


def test_a_repository_that_refuses_is_asked_once_for_all_charts(served, charts, tmp_path):
    url = served.repository("stable", charts)
    served.login = "user:hunter2"
    refusal(tmp_path, url, *((name, "1.0.0") for name in "abcd"), ca=served.ca)
    assert len([asked for asked in served.asked if "index.yaml" in asked]) == 1
