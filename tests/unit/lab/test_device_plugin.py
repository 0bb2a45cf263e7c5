"""The simulated device plugin: files and labels that the real one does not start with."""

import pytest

from lab.device_plugin import advertise
from tessera.errors import TesseraError
from tessera.hardware.machines import machine
from tessera.sharing.files import Files

NVL = machine("pcie-h100-nvl")
LABEL = {"nvidia.com/device-plugin.config": "a"}


def plugin(text, parted="", labels=LABEL):
    return advertise(labels, NVL, Files({"a": text}, "a", parted))


def parted(*entries):
    rows = "\n".join(f"    - {entry}" for entry in entries)
    return f"version: v1\nmig-configs:\n  cut:\n{rows}\n"


CUT = LABEL | {"nvidia.com/mig.config": "cut"}
HALF = parted(
    "{devices: [0], mig-enabled: true, mig-devices: {1g.24gb: 4}}",
    "{devices: [1], mig-enabled: false, mig-devices: {}}",
)
SHARED = "version: v1\nflags: {migStrategy: mixed}\nsharing: {timeSlicing: {%s resources: [{name: %s, replicas: 2}]}}\n"


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        pytest.param("version: v1\n", {"nvidia.com/gpu": "2"}, id="no strategy counts GPUs, cut or not"),
        pytest.param(
            "flags: {migStrategy: mixed}\n", {"nvidia.com/gpu": "1", "nvidia.com/mig-1g.24gb": "4"}, id="mixed"
        ),
        pytest.param(
            SHARED % ("", "nvidia.com/mig-1g.24gb"),
            {"nvidia.com/gpu": "1", "nvidia.com/mig-1g.24gb": "8"},
            id="turns on slices alone",
        ),
        pytest.param(
            SHARED % ("renameByDefault: true,", "nvidia.com/gpu"),
            {"nvidia.com/gpu": "0", "nvidia.com/gpu.shared": "2", "nvidia.com/mig-1g.24gb": "4"},
            id="renamed",
        ),
        pytest.param(
            SHARED % ("", "nvidia.com/gpux"),
            {"nvidia.com/gpu": "1", "nvidia.com/mig-1g.24gb": "4"},
            id="a resource that is not there shares nothing",
        ),
    ],
)
def test_a_node_that_is_half_cut_counts_as_its_file_says(text, counted):
    assert plugin(text, HALF, CUT) == counted


def test_a_node_where_the_plugin_is_switched_off_counts_nothing():
    assert plugin("version: v1\n", HALF, CUT | {"nvidia.com/gpu.deploy.device-plugin": "false"}) == {}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("version: v2\n", "a: unknown version: v2", id="version"),
        pytest.param("sharng: {}\n", "a: unknown field 'sharng'; the plugin would pass over it", id="field"),
        pytest.param("flags: {mig-strategy: mixed}\n", "a.flags: unknown field 'mig-strategy'", id="flag"),
        pytest.param("flags: {migStrategy: mix}\n", "unknown MIG strategy: mix", id="strategy"),
        pytest.param("sharing: {timeSlicing: {}}\n", "timeSlicing: no resources specified", id="no resources"),
        pytest.param(
            "sharing: {timeSlicing: {resources: [{replicas: 2}]}}\n", "no resource name specified", id="no name"
        ),
        pytest.param(
            "sharing: {mps: {resources: [{name: nvidia.com/gpu}]}}\n", "mps: no replicas specified", id="no replicas"
        ),
        pytest.param(
            "sharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 1}]}}\n",
            "number of replicas must be >= 2",
            id="one replica",
        ),
        pytest.param(
            "flags: {migStrategy: mixed}\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n",
            "using --mig-strategy=mixed is not supported with MPS",
            id="MPS with mixed",
        ),
        pytest.param(
            "flags: {migStrategy: single}\nsharing: {mps: {resources: [{name: nvidia.com/gpu, replicas: 2}]}}\n",
            "sharing using MPS is not supported for MIG devices",
            id="MPS with MIG devices",
        ),
        pytest.param(
            "flags: {migStrategy: single}\n",
            "all devices on the node must be configured with the same migEnabled value",
            id="single on a node that is half cut",
        ),
    ],
)
def test_a_file_with_which_the_plugin_does_not_start_is_refused(text, said):
    with pytest.raises(TesseraError) as refusal:
        plugin(text, HALF, CUT)
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(HALF.replace("v1", "v2"), "unknown version", id="version"),
        pytest.param(HALF + "x: 1\n", "unexpected field: x", id="field at the top"),
        pytest.param(HALF.replace("mig-devices", "mig-device"), "unexpected field: mig-device", id="field of an entry"),
        pytest.param("version: v1\nmig-configs: {cut: []}\n", "cut: at least one entry is required", id="no entry"),
        pytest.param(parted("{mig-enabled: false}"), "missing required field: devices", id="no devices"),
        pytest.param(parted("{devices: some, mig-enabled: false}"), "devices: found 'some'", id="devices by a word"),
        pytest.param(
            parted("{devices: all, mig-enabled: true}"), "missing required field 'mig-devices'", id="no MIG devices"
        ),
        pytest.param(
            parted("{devices: all, mig-enabled: false, mig-devices: {1g.24gb: 1}}"),
            "MIG devices included when 'mig-enabled' is false",
            id="MIG devices without MIG",
        ),
        pytest.param(
            parted("{device-filter: 0x232110DE, devices: all, mig-enabled: false}"),
            "device-filter: found 589369566, which is no text",
            id="a filter that YAML reads as a number",
        ),
        pytest.param(
            parted("{devices: all, mig-enabled: true, mig-devices: {1g.24gb: 5}}"), "too many of 1g.24gb", id="overfull"
        ),
        pytest.param(
            parted("{devices: all, mig-enabled: true, mig-devices: {1g.10gb: 1}}"),
            "unknown MIG profile '1g.10gb'",
            id="profile of another GPU",
        ),
        pytest.param(
            parted("{devices: all, mig-enabled: false}", "{devices: [1], mig-enabled: false}"),
            "GPU 1 is in two entries",
            id="a GPU twice",
        ),
        pytest.param(HALF.replace("cut", "other"), "there is no 'cut'; it has other", id="label without configuration"),
        pytest.param("", "no configuration of mig-parted is there", id="no file"),
    ],
)
def test_a_file_that_mig_parted_does_not_take_is_refused(text, said):
    with pytest.raises(TesseraError) as refusal:
        plugin("version: v1\n", text, CUT)
    assert said in str(refusal.value)


def test_an_entry_for_another_gpu_or_one_that_is_not_there_is_passed_over():
    other = parted(
        '{device-filter: "0x2BB510DE", devices: [0], mig-enabled: true, mig-devices: {1g.24gb: 4}}',
        '{device-filter: ["0x232110DE"], devices: [1, 7], mig-enabled: true, mig-devices: {7g.94gb: 1}}',
    )
    assert plugin("flags: {migStrategy: mixed}\n", other, CUT) == {"nvidia.com/gpu": "1", "nvidia.com/mig-7g.94gb": "1"}


def test_a_label_without_a_configuration_is_refused():
    with pytest.raises(TesseraError, match="specified config b does not exist; there are a"):
        plugin("version: v1\n", labels={"nvidia.com/device-plugin.config": "b"})
