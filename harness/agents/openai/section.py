"""What a configuration says about a model behind an OpenAI-compatible server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from pydantic import AfterValidator, Field, JsonValue, model_validator

from harness.protocol import LARGEST, Section

Serving = Literal["vllm", "transformers", "llama_cpp", "ollama", "hosted"]
"""What runs the model; it has a part in what the model answers."""

Calling = Literal["native", "json_schema", "grammar"]
"""How tools are called: by the server's own tool calling, or by text that a JSON Schema
(``response_format``) or a GBNF grammar (llama.cpp) constrains."""

RESERVED: Final = frozenset(
    {
        "function_call",
        "functions",
        "grammar",
        "max_completion_tokens",
        "max_tokens",
        "messages",
        "model",
        "n",
        "response_format",
        "seed",
        "stream",
        "temperature",
        "tools",
        "top_p",
    }
)
"""Fields of a request that have a key of their own, or that would change what an answer is."""


def _unreserved(fields: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    taken = sorted(RESERVED & set(fields))
    if taken:
        raise ValueError(f"{taken[0]!r} has a key of its own or cannot be used")
    return fields


class SamplingSection(Section):
    """How the model draws its answer."""

    temperature: float = Field(ge=0, le=2)
    """0 is greedy."""
    top_p: float | None = Field(default=None, gt=0, le=1)
    """Null leaves it to the server."""
    seed: int | None = Field(default=None, ge=0, le=LARGEST)
    """Null sends none, for servers that take none."""
    max_tokens: int = Field(ge=1, le=1_000_000)
    """New tokens of one turn."""


class ServerSection(Section):
    """Where the server is and how patient its client is; nothing that an outcome depends on."""

    base_url: str = Field(pattern=r"^https?://[^\s/?#@]+(/[^\s?#@]*)?$")
    """The address that ``/chat/completions`` is below; no user, password or query."""
    key_variable: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """Name of the environment variable that holds the key; null for a server that wants none."""
    timeout_seconds: float = Field(default=120, gt=0, le=86_400)
    """Of one request, from sending it to having all of its answer."""
    retries: int = Field(default=5, ge=0, le=100)
    """Requests after the first, before the shard stops."""
    concurrency: int = Field(default=1, ge=1, le=1_024)
    """Episodes of a shard that run at once; each process of a run has as many."""
    input_price: float | None = Field(default=None, ge=0)
    """Of a million prompt tokens, for the estimate of `doctor`."""
    output_price: float | None = Field(default=None, ge=0)
    """Of a million new tokens."""


class OpenAISection(Section):
    """A language model behind an OpenAI-compatible server."""

    kind: Literal["openai"]
    serving: Serving
    model: str = Field(min_length=1)
    """As the server names it."""
    revision: str | None = Field(default=None, min_length=1)
    """Of the weights. Held against what the server tells: the digest of Ollama, the snapshot of
    vLLM, the ``@revision`` of transformers, the fingerprint of a hosted API."""
    context_tokens: int | None = Field(default=None, ge=1, le=LARGEST)
    """Tokens that fit the context; held against what the server tells."""
    calling: Calling
    system_suffix: str = ""
    """Put after the system prompt, as in ``/no_think``."""
    sampling: SamplingSection
    request: Annotated[dict[str, JsonValue], AfterValidator(_unreserved)] = Field(
        default_factory=dict
    )
    """Further fields of the request body."""
    server: ServerSection

    @model_validator(mode="after")
    def _fits_its_server(self) -> OpenAISection:
        if self.calling == "grammar" and self.serving != "llama_cpp":
            raise ValueError("only llama.cpp takes a GBNF grammar; use json_schema")
        return self

    @property
    def wire_model(self) -> str:
        """The model's name on the wire."""
        if self.serving == "transformers" and self.revision is not None:
            return f"{self.model}@{self.revision}"
        return self.model
