"""A cluster's API server, as far as resources of ours need it: any kubeconfig, plain paths and JSON."""

from __future__ import annotations

import json
from typing import Any

import yaml

from tessera.errors import TesseraError

MISSING = 404
TIMEOUT_S = 30.0
BUSY = (429, 503)
TRIES = 5


class Cluster:
    """Requests with a kubeconfig's identity. Raises TesseraError in one sentence."""

    def __init__(self, kubeconfig: str) -> None:
        from kubernetes import config  # noqa: PLC0415 - slow, and most resources need no cluster

        self._api = config.new_client_from_config_dict(yaml.safe_load(kubeconfig))

    def items(self, path: str) -> list[dict[str, Any]]:
        """The items of a list; none where there is no such list."""
        found = self._send("GET", path)
        return list(found["items"]) if found else []

    def delete(self, path: str) -> None:
        """Ask for an object's end; fine where it is gone."""
        self._send("DELETE", path)

    def _send(self, method: str, path: str) -> Any:
        from urllib3 import Retry  # noqa: PLC0415
        from urllib3.exceptions import HTTPError  # noqa: PLC0415

        # A CRD's storage that is being set up answers 429, and a server under load 503, with a time to wait.
        retry = Retry(TRIES, status_forcelist=BUSY, allowed_methods=None, backoff_factor=0.2, raise_on_status=False)
        headers = {"Accept": "application/json"}
        for setting in self._api.configuration.auth_settings().values():  # a token, which may come from a program
            headers[setting["key"]] = setting["value"]
        url = f"{self._api.configuration.host}{path}"
        try:
            answer = self._api.rest_client.pool_manager.request(
                method, url, headers=headers, timeout=TIMEOUT_S, retries=retry
            )
        except HTTPError as error:
            raise TesseraError(f"the cluster can't be reached: {error}") from error
        if answer.status == MISSING:
            return None
        if not 200 <= answer.status < 300:
            raise TesseraError(f"the cluster refuses {method} {path}: {answer.status} {answer.reason}")
        return json.loads(answer.data)
