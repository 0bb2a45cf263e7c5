"""Reaching a cluster from the command line, and saying why it can't be reached."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tessera.errors import TesseraError


@contextmanager
def reach(what: str) -> Iterator[None]:
    """Turns errors of requests inside into one sentence. what: the cluster, in words."""
    from kubernetes.client import ApiException
    from urllib3.exceptions import HTTPError

    try:
        yield
    except ApiException as error:
        raise TesseraError(f"{what} refused the request: {error.status} {error.reason}") from error
    except HTTPError as error:
        raise TesseraError(f"{what} does not answer; `tessera lab status` and `tessera doctor` say more") from error
