"""What a value of the stack file may be, said to people, and the types of single values."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import AfterValidator, Field, GetCoreSchemaHandler, Strict, StringConstraints
from pydantic_core import CoreSchema, core_schema

ERROR = "allowed"
SECRET = "secret"  # noqa: S105 - a word, no password
"""Word of a value that messages must not repeat."""


@dataclass(frozen=True)
class Allowed:
    """Replaces pydantic's words. said: what is allowed; word: what a wrong one is called; near: words for a hint."""

    said: str = ""
    word: str = ""
    near: tuple[str, ...] = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        words = get_args(source) if get_origin(source) is Literal else ()
        context = {"said": self.said, "word": self.word, "words": "|".join(words), "near": "|".join(self.near)}
        inner = handler(source)
        return core_schema.custom_error_schema(
            inner, custom_error_type=ERROR, custom_error_message=ERROR, custom_error_context=context
        )


def _address(text: str) -> str:
    if re.fullmatch(r"[0-9.]+|.*:.*", text):
        ipaddress.ip_address(text)
    elif not re.fullmatch(rf"{_LABEL}(\.{_LABEL})*", text):
        raise ValueError
    return text


def _ip(text: str) -> str:
    ipaddress.ip_address(text)
    return text


_LABEL = "[a-zA-Z0-9]([-a-zA-Z0-9]{0,61}[a-zA-Z0-9])?"
_WORD = r"[a-zA-Z0-9]([-a-zA-Z0-9_.]{0,61}[a-zA-Z0-9])?"

LONGEST_NAME = 40
MAX_NODES = 5000
"""The largest cluster that Kubernetes promises to run."""

Name = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", max_length=LONGEST_NAME),
    Allowed(f"small letters, digits and inner dashes, at most {LONGEST_NAME} characters"),
]
"""A DNS label, short enough to carry a node's number behind it."""

HostName = Annotated[
    str,
    StringConstraints(pattern=r"^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", max_length=63),
    Allowed("small letters, digits and inner dashes, at most 63 characters"),
]
Text = Annotated[str, Allowed("text, in quotes where it looks like anything else")]
Word = Annotated[str, StringConstraints(pattern=r"^\S+$"), Allowed("text without spaces")]
BoardName = Annotated[str, StringConstraints(min_length=1), Allowed("the name of a board")]
InstanceName = Annotated[str, StringConstraints(min_length=1), Allowed("the name of an EC2 instance type")]
ClassName = Annotated[str, StringConstraints(min_length=1), Allowed("the name of a class")]
Count = Annotated[int, Strict(), Field(ge=0, le=MAX_NODES), Allowed(f"a whole number, 0 to {MAX_NODES}")]
Devices = Annotated[int, Strict(), Field(ge=0, le=10**6), Allowed("a whole number, 0 to 1000000")]
Replicas = Annotated[int, Strict(), Field(ge=2, le=10**3), Allowed("a whole number, 2 to 1000")]
Clients = Annotated[int, Strict(), Field(ge=2, le=48), Allowed("a whole number, 2 to 48")]
Instances = Annotated[int, Strict(), Field(ge=1, le=16), Allowed("a whole number, 1 to 16")]
Index = Annotated[int, Strict(), Field(ge=0, le=31), Allowed("a whole number, 0 to 31")]
"""Of a GPU in its machine."""
Flag = Annotated[bool, Strict(), Allowed("true, false")]
Address = Annotated[str, AfterValidator(_address), Allowed("an IP address or a DNS name")]
Ip = Annotated[str, AfterValidator(_ip), Allowed("an IP address")]
Url = Annotated[
    str, StringConstraints(pattern=r"^https?://[^\s/]+/?$"), Allowed("http://HOST:PORT or https://HOST:PORT")
]
ChartPlace = Annotated[
    str,
    StringConstraints(pattern=r"^((https|oci)://[^\s/]+(/\S*)?|[^\s:]+)$"),
    Allowed("https://HOST/PATH, oci://HOST/PATH, or the path of a folder"),
]
Mirror = Annotated[
    str, StringConstraints(pattern=r"^[^\s/:]+(:[0-9]+)?(/[^\s:]+)*$"), Allowed("HOST:PORT/PATH without a scheme")
]
Reservation = Annotated[
    str,
    StringConstraints(pattern=r"^cr-[0-9a-f]{8,17}$"),
    Allowed("a capacity reservation's id, such as cr-0123456789abcdef0"),
]
LabelKey = Annotated[
    str,
    StringConstraints(pattern=rf"^([a-z0-9]([-a-z0-9.]{{0,251}}[a-z0-9])?/)?{_WORD}$"),
    Allowed("a label's key, such as team or example.com/team"),
]
LabelValue = Annotated[
    str,
    StringConstraints(pattern=rf"^({_WORD})?$"),
    Allowed("letters, digits, dashes, dots and underscores, at most 63 characters, in quotes where it looks like more"),
]
