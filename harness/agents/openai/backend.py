"""What a server says about itself, and whether that is the model that the study is about."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from harness.agents.openai.plain import count, parse_json, plain
from harness.agents.openai.section import OpenAISection
from harness.agents.openai.wire import Reply

_SNAPSHOT: Final = re.compile(r"/snapshots/(?P<revision>[0-9a-f]{40})(?:/|\Z)")

SHORTEST_DIGEST: Final = 12
"""Letters of a digest that `ollama list` shows."""


@dataclass(frozen=True)
class Backend:
    """What stands behind the address."""

    models: tuple[str, ...] | None = None
    """None where the server does not list what it serves."""
    context_tokens: int | None = None
    revision: str | None = None
    details: Mapping[str, Any] | None = None
    """Whatever else would differ if another model stood there."""


class BackendError(Exception):
    """The server cannot say what it serves, or serves something else."""


def describe(section: OpenAISection, get: Callable[[str], Reply]) -> Backend:
    """Ask a server what it serves.

    Parameters
    ----------
    section
        What is expected there.
    get
        Asks for a path.

    Raises
    ------
    BackendError
        If it does not answer that.
    WireError
        If it does not answer.
    """
    match section.serving:
        case "vllm":
            return _vllm(section, _listed(get))
        case "llama_cpp":
            return _llama_cpp(_listed(get), _optional(get, "../props"))
        case "ollama":
            return _ollama(section, _json(get, "../api/tags"), _optional(get, "../api/ps"))
        case "transformers" | "hosted":
            # The one lists what lies on its disk and loads what a request names; what the others
            # list need not be all. Each answer names its model.
            return Backend()


def check(section: OpenAISection, found: Backend) -> None:
    """Hold what a server says about itself against the configuration.

    Raises
    ------
    BackendError
        If the model, its revision or its context is another one.
    """
    name = section.wire_model
    if found.models is not None and not {name, f"{name}:latest"} & set(found.models):
        raise BackendError(
            f"serves {', '.join(found.models[:5]) or 'no model'}, not {name}, which is configured"
        )
    if _other(section.revision, found.revision):
        raise BackendError(
            f"serves {name} at revision {found.revision}, not {section.revision}, which is "
            "configured"
        )
    if _other(section.context_tokens, found.context_tokens):
        raise BackendError(
            f"serves {name} with a context of {found.context_tokens} tokens, not "
            f"{section.context_tokens}, which is configured"
        )


def check_same(before: Backend, found: Backend) -> None:
    """Hold what a server says about itself against what it said before.

    Raises
    ------
    BackendError
        If another model, revision, context or build stands there now.
    """
    for name in ("revision", "context_tokens", "details"):
        old, new = getattr(before, name), getattr(found, name)
        if old is not None and new is not None and old != new:
            raise BackendError(f"changed while the study ran: {name} was {old}, is {new}")


def _other(configured: Any, found: Any) -> bool:
    if configured is None or found is None:
        return False
    if isinstance(configured, str) and len(configured) >= SHORTEST_DIGEST:
        return not str(found).startswith(configured)
    return bool(configured != found)


def _vllm(section: OpenAISection, entries: Mapping[str, Mapping[str, Any]]) -> Backend:
    entry = entries.get(section.wire_model, {})
    root = entry.get("root")
    snapshot = _SNAPSHOT.search(root) if isinstance(root, str) else None
    return Backend(
        models=tuple(entries),
        context_tokens=count(entry.get("max_model_len")),
        revision=snapshot["revision"] if snapshot else None,
        details={"root": root, "parent": entry.get("parent")},
    )


def _llama_cpp(entries: Mapping[str, Mapping[str, Any]], props: Any) -> Backend:
    fields = props if isinstance(props, dict) else {}
    settings = fields.get("default_generation_settings")
    entry: Mapping[str, Any] = next(iter(entries.values()), {})
    aliases, meta = entry.get("aliases"), entry.get("meta")
    names = [name for name in aliases if isinstance(name, str)] if aliases else []
    return Backend(
        models=tuple(dict.fromkeys([*entries, *names])),
        context_tokens=count(settings.get("n_ctx")) if isinstance(settings, dict) else None,
        details={
            "build": fields.get("build_info"),
            "file": fields.get("model_path"),
            "meta": meta,
            "template": fields.get("chat_template"),
        },
    )


def _ollama(section: OpenAISection, tags: Any, running: Any) -> Backend:
    entries = _entries(tags, "models", "name")
    loaded = _entries(running, "models", "name")
    names = (section.model, f"{section.model}:latest")
    entry = next((entries[name] for name in names if name in entries), {})
    active = next((loaded[name] for name in names if name in loaded), {})
    digest = entry.get("digest")
    return Backend(
        models=tuple(entries),
        # Told of a model that is loaded alone.
        context_tokens=count(active.get("context_length")),
        revision=digest.removeprefix("sha256:") if isinstance(digest, str) else None,
    )


def _listed(get: Callable[[str], Reply]) -> Mapping[str, Mapping[str, Any]]:
    return _entries(_json(get, "/models"), "data", "id")


def _entries(body: Any, field: str, name: str) -> Mapping[str, Mapping[str, Any]]:
    """Return the objects of a list by name."""
    listed = body.get(field) if isinstance(body, dict) else None
    found = [item for item in listed if isinstance(item, dict)] if isinstance(listed, list) else []
    return {item[name]: item for item in found if isinstance(item.get(name), str)}


def _optional(get: Callable[[str], Reply], path: str) -> Any:
    """Return what a server says at a path that not every version has."""
    reply = get(path)
    if reply.status in {401, 403, 404, 405, 501}:
        return None
    return _body(reply, path)


def _json(get: Callable[[str], Reply], path: str) -> Any:
    return _body(get(path), path)


def _body(reply: Reply, path: str) -> Any:
    if reply.status != 200:
        raise BackendError(f"answered {path} with HTTP {reply.status}")
    try:
        return plain(parse_json(reply.body))
    except ValueError:
        raise BackendError(f"answered {path} with something that is not JSON") from None
