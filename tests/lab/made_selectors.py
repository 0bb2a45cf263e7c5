"""Selectors made by a seeded generator: from requirements, and grown from CEL's parts, right and wrong ones."""

from collections.abc import Iterator, Sequence
from random import Random

from tessera.dra import cel
from tessera.dra.requirements import Requirement, nvlink_products
from tessera.dra.selectors import selector
from tessera.errors import TesseraError
from tessera.hardware import gpus

GPU, NIC = "gpu.nvidia.com", "dra.net"
DOMAINS = (GPU, GPU, GPU, GPU, "compute-domain.nvidia.com", NIC, "resource.kubernetes.io", "driver.nvidia.com")
NAMES = ("type", "productName", "architecture", "brand", "profile", "cudaComputeCapability", "driverVersion",
         "cudaDriverVersion", "pciBusID", "pcieRoot", "id", "rdma", "ifName", "numaNode", "vram_gb")  # fmt: skip
TEXTS = ("gpu", "mig", "Hopper", "Ada Lovelace", "NVIDIA H100 80GB HBM3", "1g.10gb", "9.0.0", "channel", "")
VERSIONS = ("8.9.0", "9.0.0", "10.0.0", "8.9.0-rc.1", "8.9.0+b1", "570.158.1", "8.9", "v8.9.0", "09.0.0")
QUANTITIES = ("24G", "80G", "80Gi", "40Gi", "1.5Gi", "1", "0", "-1k", "81559Mi", "9Ei", "24GB", "1e10")
PARTS = ("g", "NVIDIA", "")
WORDS = ("size() > 1", 'indexOf("NVIDIA") == 0', 'lastIndexOf("H100") > 0', 'exists(w, w == "H100")')
WHOLE = (
    "true",
    "false",
    "1",
    '"gpu"',
    "device.driver",
    "dyn(true)",
    '[1, "a"].size() == 2',
    'device.name == "x"',
    "device.driver ==",
    "device.allowMultipleAllocations",
    "math.greatest(1, 2) == 2",
    'device.driver = "x"',
)
PATTERNS = ("H[12]00", "^NVIDIA", "[0-9]+g", "(", "8$", r"\\d+gb", "(?i)hopper")


def made(count: int, seed: int) -> list[str]:
    """Distinct selectors; of those that this engine can't judge, none."""
    found: dict[str, None] = {}
    every = _all(Random(seed))
    while len(found) < count:
        one = next(every)
        if not any(problem.startswith(cel.NOT_KNOWN) for problem in cel.check(one)):
            found[one] = None
    return list(found)


def _all(draw: Random) -> Iterator[str]:
    while True:
        yield selector(_requirement(draw))
        yield f'device.driver == "{GPU}" && {_condition(draw, 2)}'
        yield _condition(draw, 2)
        yield _mutated(draw, selector(_requirement(draw)))
        yield f'device.driver == "{draw.choice((GPU, NIC))}" && {_condition(draw, 1)}'
        yield f"{draw.choice(GUARDS)} && {_condition(draw, 0)}"


GUARDS = (
    '"gpu.nvidia.com" in device.attributes',
    'has(device.attributes["gpu.nvidia.com"].cudaComputeCapability)',
    '"memory" in device.capacity["gpu.nvidia.com"]',
    'device.attributes["gpu.nvidia.com"].?type.orValue("none") == "gpu"',
    "!device.allowMultipleAllocations",
)


def _requirement(draw: Random) -> Requirement:
    """A requirement of random words; a combination that makes no sense is drawn again."""
    while True:
        device = draw.choice(("gpu", "gpu", "gpu", "mig", "mig", "nic"))
        words = {} if device == "nic" else {name: value for name, value in _words(draw, device) if draw.random() < 0.4}
        try:
            return Requirement(device, **words)
        except TesseraError:
            continue


def _words(draw: Random, device: str) -> Iterator[tuple[str, object]]:
    products = [key for key in gpus.names() if gpus.gpu(key).product]
    yield "memory", draw.choice(("10G", "24G", "40G", "80G", "141G"))
    yield "memory_at_most", draw.choice(("20G", "48G", "80Gi", "141Gi"))
    yield "compute_capability", draw.choice(("8.0.0", "8.9.0", "9.0.0", "10.0.0"))
    yield "product", tuple(draw.sample(products, draw.choice((1, 1, 2))))
    yield "architecture", draw.choice([gpus.gpu(key).architecture for key in gpus.names()])
    if device == "mig":
        yield "profile", draw.choice(["1g.10gb", "2g.20gb", "3g.40gb", "7g.80gb", "1g.18gb", "1g.5gb"])
    if device == "gpu":
        yield "nvlink", bool(nvlink_products())


def _mutated(draw: Random, text: str) -> str:
    """A selector with one slip of the kind that people make."""
    slips = (
        (f'device.driver == "{GPU}" &&\n', ""),
        (f'["{GPU}"]', '["driver.nvidia.com"]'),
        ("productName", "product"),
        ('.0")', '")'),
        ("compareTo(quantity", "isGreaterThan(quantity"),
        (">= 0", '>= quantity("1")'),
        ("semver(", "quantity("),
        ("quantity(", "semver("),
        ('G")', 'GB")'),
        ("&&", "||"),
        ("==", "!="),
        ("memory", "mem"),
        ("type ==", "type >"),
        ("&&", "&"),
    )
    fitting = [slip for slip in slips if slip[0] in text]
    old, new = draw.choice(fitting)
    return text.replace(old, new, draw.choice((1, -1)))


def _condition(draw: Random, depth: int) -> str:
    if depth > 0 and draw.random() < 0.7:
        left, right = _condition(draw, depth - 1), _condition(draw, depth - 1)
        return draw.choice((
            f"{left} && {right}", f"{left} || {right}", f"!({left})", f"({left}) ? ({right}) : {_flag(draw)}",
            f"[{left}, {right}].exists(b, b)", f"[{left}, {right}].all(b, b)", f"[{left}, {right}].exists_one(b, b)",
            f"cel.bind(b, {left}, b || {right})", f"cel.bind(b, {left}, {right})",
        ))  # fmt: skip
    return draw.choice(_LEAVES)(draw)


def _flag(draw: Random) -> str:
    return draw.choice(("true", "false"))


def _text(draw: Random, words: Sequence[str]) -> str:
    return f'"{draw.choice(words)}"'


def _readable(draw: Random) -> str:
    return draw.choice((_attribute(draw), _text(draw, QUANTITIES), _text(draw, VERSIONS)))


def _domain(draw: Random, part: str = "attributes") -> str:
    return f'device.{part}["{draw.choice(DOMAINS)}"]'


def _attribute(draw: Random) -> str:
    whole, name = _domain(draw), draw.choice(NAMES)
    ways = (f"{whole}.{name}", f'{whole}["{name}"]', f'{whole}.?{name}.orValue("{draw.choice(TEXTS)}")',
            f'{whole}[?"{name}"].orValue(semver("{draw.choice(VERSIONS)}"))', f"{whole}.?{name}.value()")  # fmt: skip
    return draw.choice((ways[0], ways[0], *ways))


def _plain(draw: Random) -> str:
    return f"{draw.choice((_attribute, _attribute, lambda _: 'device.driver'))(draw)}"


def _value(draw: Random) -> str:
    return draw.choice(
        (f'"{draw.choice(TEXTS)}"', str(draw.randint(-2, 9)), "true", "1.5", _version(draw), _attribute(draw), "null")
    )


def _version(draw: Random) -> str:
    return draw.choice((f'semver("{draw.choice(VERSIONS)}")', f'semver("{draw.choice(VERSIONS)}", true)'))


def _amount(draw: Random) -> str:
    memory = f"{_domain(draw, 'capacity')}.memory"
    read = f'quantity("{draw.choice(QUANTITIES)}")'
    return draw.choice((memory, memory, read, f"{memory}.add({read})", f"{memory}.sub({draw.randint(0, 10**11)})",
                        f'{_domain(draw, "capacity")}.?memory.orValue({read})'))  # fmt: skip


def _sign(draw: Random) -> str:
    return draw.choice((">=", ">", "<", "<=", "==", "!="))


def _either(draw: Random) -> str:
    return draw.choice((_version, _version, _amount, _attribute))(draw)


_LEAVES = (
    lambda d: f"{_plain(d)} {d.choice(('==', '==', '!='))} {_value(d)}",
    lambda d: f"{_attribute(d)} {_sign(d)} {_value(d)}",
    lambda d: f"{_attribute(d)}.compareTo({_either(d)}) {_sign(d)} 0",
    lambda d: f"{_amount(d)}.compareTo({d.choice((_amount, _amount, _either))(d)}) {_sign(d)} 0",
    lambda d: f"{_either(d)}.{d.choice(('isGreaterThan', 'isLessThan'))}({_either(d)})",
    lambda d: f"{_either(d)}.{d.choice(('major', 'minor', 'patch'))}() {_sign(d)} {d.randint(0, 10)}",
    lambda d: f"{_amount(d)} {_sign(d)} {_amount(d)}",
    lambda d: f"{_amount(d)}.isInteger() && {_amount(d)}.asInteger() {_sign(d)} {d.randint(0, 10**11)}",
    lambda d: f"{_amount(d)}.asApproximateFloat() {d.choice(('<', '>'))} {d.randint(0, 90)}000000000.0",
    lambda d: f"sign({_amount(d)}) == {d.randint(-1, 1)}",
    lambda d: f"is{d.choice(('Quantity', 'Semver'))}({_readable(d)})",
    lambda d: f"{_plain(d)}.{d.choice(('startsWith', 'contains', 'endsWith'))}(\"{d.choice(TEXTS)}\")",
    lambda d: f"{_plain(d)}.{d.choice(('lowerAscii', 'upperAscii', 'trim'))}().contains(\"h100\")",
    lambda d: f"{_plain(d)}.matches(\"{d.choice(PATTERNS)}\")",
    lambda d: f"{_plain(d)}.find(\"{d.choice(PATTERNS)}\") != \"\"",
    lambda d: f"{_plain(d)}.findAll(\"{d.choice(PATTERNS)}\").size() {_sign(d)} {d.randint(0, 2)}",
    lambda d: f'{_plain(d)}.split(" ").{d.choice(WORDS)}',
    lambda d: f"{_plain(d)}.{d.choice(('indexOf', 'lastIndexOf'))}({_text(d, PARTS)}) {_sign(d)} {d.randint(-1, 4)}",
    lambda d: f"{_plain(d)}.substring({d.randint(0, 5)}, {d.randint(0, 9)}) == \"{d.choice(TEXTS)[:3]}\"",
    lambda d: f"{_plain(d)}.replace(\"g\", \"G\").charAt({d.randint(0, 5)}) == \"G\"",
    lambda d: f"has({_domain(d)}.{d.choice(NAMES)})",
    lambda d: f'"{d.choice(NAMES)}" in {_domain(d)}',
    lambda d: f'"{d.choice(DOMAINS)}" in device.{d.choice(("attributes", "capacity"))}',
    lambda d: f'{_plain(d)} in ["{d.choice(TEXTS)}", "{d.choice(TEXTS)}"]',
    lambda d: f"{_attribute(d)} in [{_attribute(d)}, {_attribute(d)}]",
    lambda d: f"{_domain(d)}.?{d.choice(NAMES)}.hasValue()",
    lambda d: f'device.attributes[?"{d.choice(DOMAINS)}"].?{d.choice(NAMES)}.orValue("x") == {_value(d)}',
    lambda d: f'device.attributes.?nope.?{d.choice(NAMES)}.or(optional.of("gpu")).value() == "gpu"',
    lambda d: f"{_domain(d)}.?{d.choice(NAMES)}.optMap(v, v == {_value(d)}).orValue(false)",
    lambda d: f"cel.bind(a, {_domain(d)}, a.{d.choice(NAMES)} == {_value(d)})",
    lambda d: f"cel.bind(a, device.attributes, a[\"{d.choice(DOMAINS)}\"].{d.choice(NAMES)} == {_value(d)})",
    lambda d: f"device.attributes.exists(k, k == \"{d.choice(DOMAINS)}\")",
    lambda d: f"{_domain(d)}.{d.choice(('exists', 'all', 'exists_one'))}(k, k == \"{d.choice(NAMES)}\")",
    lambda d: f"{_domain(d)}.filter(k, k.startsWith(\"c\")).size() {_sign(d)} {d.randint(0, 3)}",
    lambda d: f"[1, 2, {d.randint(0, 4)}].{d.choice(('sum', 'min', 'max'))}() {_sign(d)} {d.randint(0, 6)}",
    lambda d: f"[1, {d.randint(0, 3)}].map(i, i * 2).isSorted()",
    lambda d: f"size({_domain(d)}) {_sign(d)} {d.randint(0, 12)}",
    lambda d: f"string({_attribute(d)}) == \"{d.choice(TEXTS)}\"",
    lambda d: f"int({_attribute(d)}) + {d.randint(0, 3)} {_sign(d)} {d.randint(0, 3)}",
    lambda d: f"type({_attribute(d)}) == {d.choice(('string', 'int', 'bool'))}",
    _attribute,
    lambda d: d.choice(WHOLE),
)  # fmt: skip
