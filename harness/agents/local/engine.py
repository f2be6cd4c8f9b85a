"""llama.cpp in this process, through xllamacpp, with the weights that a package ships."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from harness.agents.local.section import LocalSection
from harness.error import InfrastructureError

ENGINE: Final = "xllamacpp"

REMEDY: Final = (
    "Install what requirements-local.lock names (make local), then run the same command again."
)

VOLATILE: Final = frozenset({"created", "id", "model", "timings"})
"""Fields of an answer that differ from run to run or from place to place."""


class Engine:
    """The loaded model.

    Parameters
    ----------
    section
        Which model, and how it is run.
    keep_prompt
        Whether a prompt may go on from what the slot holds of the last one. Never in a study: what
        came before must not show in an answer.
    restore_mib
        Megabytes for states that left the slot; they are restored for prompts that begin likewise.

    Raises
    ------
    InfrastructureError
        If engine or weights are missing or others than configured.
    """

    def __init__(
        self, section: LocalSection, *, keep_prompt: bool = False, restore_mib: int = 0
    ) -> None:
        weights = weights_file(section)
        check_version(section)
        # Read when OpenMP loads. A thread that spins while it waits starves whatever else runs.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        import xllamacpp

        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(weights)
        parameters.n_ctx = section.context_tokens
        parameters.n_parallel = 1
        parameters.cpuparams.n_threads = section.threads
        parameters.cpuparams_batch.n_threads = section.threads
        parameters.n_gpu_layers = 0
        parameters.cache_prompt = keep_prompt
        parameters.cache_ram_mib = restore_mib
        parameters.ctx_shift = False
        parameters.fit_params = False
        parameters.warmup = False
        parameters.verbosity = -1
        try:
            self._server = xllamacpp.Server(parameters)
        except RuntimeError as error:
            raise InfrastructureError(
                f"The local model cannot be loaded ({error}).", REMEDY
            ) from error
        self._lock = threading.Lock()

    def complete(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a chat completion, or its refusal, without what is volatile."""
        with self._lock:
            answer = self._server.handle_chat_completions(dict(body))
        # Through JSON, so that what is kept is what a server would have sent.
        kept = {name: value for name, value in answer.items() if name not in VOLATILE}
        plain: dict[str, Any] = json.loads(json.dumps(kept))
        return plain


def is_installed(section: LocalSection) -> bool:
    """Whether engine and weights are here, whichever they are."""
    found = importlib.util.find_spec(ENGINE), importlib.util.find_spec(section.package)
    return all(item is not None for item in found)


def weights_file(section: LocalSection) -> Path:
    """Return the file of weights, after its content was held against the configuration.

    Raises
    ------
    InfrastructureError
        If it is missing or another one.
    """
    # Found, not imported: the package is a plug-in that wants more than its weights.
    spec = importlib.util.find_spec(section.package)
    places = spec.submodule_search_locations if spec is not None else None
    paths = [Path(place) / section.file for place in places or ()]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise InfrastructureError(f"The weights {section.file} are not installed.", REMEDY)
    with path.open("rb") as stream:
        sha256 = hashlib.file_digest(stream, "sha256").hexdigest()
    if sha256 != section.sha256:
        raise InfrastructureError(
            f"The weights {path} have the SHA-256 {sha256[:12]}, not {section.sha256[:12]}, which"
            " is configured.",
            REMEDY,
        )
    return path


def check_version(section: LocalSection) -> None:
    """Hold the installed engine against the configuration.

    Raises
    ------
    InfrastructureError
        If it is missing or of another version.
    """
    try:
        version = importlib.metadata.version(ENGINE)
    except importlib.metadata.PackageNotFoundError as error:
        raise InfrastructureError(f"{ENGINE} is not installed.", REMEDY) from error
    if version != section.engine:
        raise InfrastructureError(
            f"{ENGINE} {version} is installed, not {section.engine}, which is configured.", REMEDY
        )
