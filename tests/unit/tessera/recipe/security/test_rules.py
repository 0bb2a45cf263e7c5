"""Every rule of security on a recipe that breaks it, and none on one that keeps them."""

import pytest

from tessera.recipe.resolved import Component, Pool, ResolvedRecipe
from tessera.recipe.security.rules import security_problems

ENV = [{"name": "ACCEPT_NVIDIA_VISIBLE_DEVICES_ENVVAR_WHEN_UNPRIVILEGED", "value": "false"}]
OPERATOR = {"driver": {"enabled": True, "version": "580.159.03"}, "toolkit": {"env": ENV}}


def recipe(*components, driver=None, toolkit=None):
    hosts = {"driver": driver or {"source": "operator"}, "toolkit": toolkit or {"source": "operator"}}
    pools = (Pool("p", 1, {}, hosts, {}),)
    return ResolvedRecipe({}, pools, tuple(components), {}, {}, {}, {}, {})


def operator(version="v26.7.0", **values):
    return Component("op", "gpu-operator", version, "gpu-operator", values={**OPERATOR, **values})


def chart(name, version="0", **values):
    return Component(name, name, version, "n", values=values)


def env(**more):
    return {"env": [*ENV, *({"name": name, "value": value} for name, value in more.items())]}


def test_a_recipe_that_keeps_all_rules_has_no_problem():
    assert security_problems(recipe(operator())) == []


CASES = [
    pytest.param({"driver": {"source": "packages", "version": "580.126.20"}}, "driver-floor", id="driver below"),
    pytest.param(
        {"driver": {"source": "packages", "version": "570.211.01"}}, "driver-floor", id="branch without a fix"
    ),
    pytest.param({"toolkit": {"source": "packages", "version": "1.18.2"}}, "toolkit-floor", id="toolkit below"),
    pytest.param({"toolkit": {"unprivileged_env_devices": True}}, "environment-bypass", id="variable on hosts"),
]


@pytest.mark.parametrize(("hosts", "rule"), CASES)
def test_hosts_that_break_a_rule_are_told(hosts, rule):
    (problem,) = security_problems(recipe(**hosts))
    assert (problem.rule, problem.severity) == (rule, "error")
    assert "found" in problem.text
    assert "allowed" in problem.text


COMPONENTS = [
    pytest.param(operator("v26.3.1"), "operator-floor", "error", id="operator below"),
    pytest.param(operator(driver={"version": "595.58.03"}), "driver-floor", "error", id="its driver"),
    pytest.param(operator(toolkit={**env(), "version": "v1.17.8"}), "toolkit-floor", "error", id="its toolkit"),
    pytest.param(operator(devicePlugin={"version": "v0.17.2"}), "device-plugin-floor", "error", id="its device plugin"),
    pytest.param(operator(toolkit={"env": []}), "environment-bypass", "error", id="variable left open"),
    pytest.param(operator(cdi={"enabled": False}), "environment-bypass", "error", id="no CDI, no volume mounts"),
    pytest.param(
        operator(devicePlugin={"env": [{"name": "DEVICE_LIST_STRATEGY", "value": "envvar,cdi-cri"}]}),
        "environment-bypass",
        "error",
        id="device plugin names GPUs in a variable",
    ),
    pytest.param(
        operator(toolkit=env(CONTAINERD_SET_AS_DEFAULT="true")), "environment-bypass", "error", id="runtime for all"
    ),
    pytest.param(operator(driver={"enabled": False}), "one-driver", "error", id="nobody brings a driver"),
    pytest.param(chart("metrics-server", "3.13.1"), "metrics-server-insecureSkipTLSVerify", "warning", id="metrics"),
    pytest.param(chart("kueue", "0.19.2", enableKueueViz=True), "kueue-enableKueueViz", "warning", id="dashboard"),
    pytest.param(chart("alloy", "1.11.1"), "alloy-enableReporting", "warning", id="reports"),
    pytest.param(chart("prometheus-adapter", "5.3.0"), "adapter-tls", "warning", id="adapter"),
    pytest.param(chart("x", grafana={"adminPassword": "prom-operator"}), "secret-in-clear", "error", id="password"),
    pytest.param(chart("x", image={"tag": "latest"}), "moving-tag", "error", id="moving tag"),
    pytest.param(chart("x", image="a.example/b:latest"), "moving-tag", "error", id="moving image"),
]


@pytest.mark.parametrize(("component", "rule", "severity"), COMPONENTS)
def test_a_component_that_breaks_a_rule_is_told(component, rule, severity):
    (problem,) = security_problems(recipe(component))
    assert (problem.rule, problem.severity) == (rule, severity)
    assert problem.path.startswith(f"components.{component.name}.")


def test_a_driver_container_on_an_image_with_a_driver_is_an_error():
    (problem,) = security_problems(recipe(operator(), driver={"source": "image", "version": "580.159.03"}))
    assert problem.rule == "one-driver"
    assert problem.text == "found true, allowed: false; the driver of pools p (image) comes from there"


def test_simulated_hosts_have_no_floor():
    assert security_problems(recipe(driver={"source": "simulated", "version": "1.0"})) == []


def test_a_problem_names_the_cve_the_source_and_what_to_do():
    (problem,) = security_problems(recipe(driver={"source": "packages", "version": "580.126.20"}))
    assert str(problem) == (
        "pools.p.hosts.driver.version: found 580.126.20, allowed: 580.159.03 or later (CVE-2026-24187; "
        "NVIDIA security bulletin, 2026-05); pin a newer one"
    )


@pytest.mark.parametrize("key", ["adminPassword", "bearer_token", "apiKey", "clientSecret", "passphrase"])
def test_a_secret_in_clear_is_refused_without_repeating_it(key):
    (problem,) = security_problems(recipe(chart("x", grafana={key: "hunter2"})))
    assert problem.path == f"components.x.values.grafana.{key}"
    assert problem.text.endswith("encrypt one as tessera:secrets.NAME, and write secret://NAME here")
    assert "hunter2" not in str(problem)


@pytest.mark.parametrize(
    "values", [{"adminPassword": "secret://grafana"}, {"adminPassword": ""}, {"tokenSecretName": "a"}, {"token": True}]
)
def test_what_refers_to_a_secret_is_none(values):
    assert security_problems(recipe(chart("x", grafana=values))) == []


def test_cdi_that_is_switched_off_is_what_the_message_is_about():
    (problem,) = security_problems(recipe(operator(cdi={"enabled": False})))
    assert problem.path == "components.op.values.cdi.enabled"
