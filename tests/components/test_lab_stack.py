"""The lab stack from nothing to nothing, on the real engine and a real control plane."""

import json
import re
from dataclasses import replace

import pytest

from lab import processes
from lab.client import RESOURCE_API, Client
from lab.parts import NAMES
from tessera.recipe import lock
from tessera.recipe.of_stack import request
from tessera.recipe.shipped import shipped
from tessera.spec.stack import stack

pytestmark = [pytest.mark.engine, pytest.mark.lab]
LAB = "tessera:lab:Lab"


def test_lab_stack_from_first_up_to_destroy(project, config):
    count = re.search(r"\+ (\d+) created", project.up())[1]
    project.unchanged()
    _assert_three_claims_placed(project)

    config["pools"][0]["size"] = 3
    project.write(config)
    assert project.planned() == {LAB: "update"}
    assert "1 updated" in project.up()
    project.unchanged()
    assert len(Client.of(project.home).items("/api/v1/nodes")) == 3

    config["pools"][0]["size"] = 1
    project.write(config)
    project.up()
    project.unchanged()
    assert [row["metadata"]["name"] for row in Client.of(project.home).items("/api/v1/nodes")] == ["h100-0"]

    assert f"{count} unchanged" in project.run("refresh", "-s", "lab", "--yes")
    project.unchanged()

    assert f"{count} deleted" in project.destroy()
    assert not project.home.root.exists()
    assert processes.find(project.home) == {}
    assert project.export() == {}


def _assert_three_claims_placed(project):
    claims = Client.of(project.home).items(f"{RESOURCE_API}/resourceclaims")
    results = [claim["status"]["allocation"]["devices"]["results"] for claim in claims]
    placed = {(row["pool"], row["device"]) for rows in results for row in rows}
    assert len(claims) == len(placed) == 3
    assert {row["driver"] for rows in results for row in rows} == {"gpu.nvidia.com"}


def test_state_holds_no_key_in_clear_text(project):
    project.up()
    key = project.home.kubeconfig.read_text().split("client-key-data: ")[1].split()[0]
    backend = project.env["PULUMI_BACKEND_URL"].removeprefix("file://")
    assert key not in project.run("stack", "export", "-s", "lab")
    assert key not in project.run("stack", "output", "-s", "lab")
    state = (project.home.root.parents[1] / "stacks" / ".pulumi" / "stacks" / "tessera" / "lab.json").read_text()
    assert backend in project.env["PULUMI_BACKEND_URL"]
    assert key not in state
    assert json.loads(state)


def test_wrong_stack_file_is_told_whole_and_starts_nothing(project, config):
    config["pools"][0]["board"] = "hgx-h10"
    config["workloads"][0]["class"] = "gpu-inference-lage"
    project.write(config)
    printed = project.run("up", "-s", "lab", "--yes", fails=True)
    assert "tessera:pools[0].board: unknown board 'hgx-h10' (did you mean 'hgx-h100'?)" in printed
    assert (
        "tessera:workloads[0].class: unknown class 'gpu-inference-lage' (did you mean 'gpu-inference-large'?)"
        in printed
    )
    assert "Traceback" not in printed
    assert not project.home.root.exists()


def test_after_up_every_part_answers_and_every_object_says_whose_it_is(project):
    project.up()
    client = Client.of(project.home)
    for path in (
        f"{RESOURCE_API}/deviceclasses",
        f"{RESOURCE_API}/resourceclaimtemplates",
        "/apis/apps/v1/deployments",
    ):
        assert [row["metadata"]["labels"]["tessera.dev/stack"] for row in client.items(path)] == ["lab"], path
    assert set(processes.find(project.home)) == set(NAMES)
    assert project.export()[LAB]["outputs"]["parts"] == list(NAMES)


def test_recipe_that_is_not_the_locked_one_is_refused_and_the_change_is_told(project, config):
    path = project.folder / "stacks" / "lab.lock.json"
    agreed = lock.lock(shipped(request(stack(config))))
    path.write_text(agreed.text())
    project.run("preview", "-s", "lab")

    (pool,) = agreed.recipe.pools
    older = {**pool.hosts, "driver": {**pool.hosts["driver"], "version": "580.159.03"}}
    path.write_text(lock.lock(replace(agreed.recipe, pools=(replace(pool, hosts=older),))).text())
    printed = project.run("up", "-s", "lab", "--yes", fails=True)
    assert "stack lab resolves to something else than stacks/lab.lock.json agrees to" in printed
    assert "on 2 nodes of pool h100: driver 580.159.03 -> " in printed
    assert "`tessera recipe lock -s lab --update` agrees" in printed
    assert "Traceback" not in printed
    assert not project.home.root.exists()
