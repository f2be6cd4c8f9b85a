"""A whole study behind a model server: order, faults, and a key that stands nowhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gates.aggregate import aggregate
from gates.bundle import BUNDLE
from harness.compose import CONFIG_FOLDER
from harness.error import InfrastructureError
from harness.grid import Shard
from harness.ledger import Ledger
from harness.manifest import Manifest, read_record
from harness.schema import TABLES
from harness.shard import run_shard
from harness.store import read_table
from tests.support.model import KEY
from tests.support.model_server import Answer, ModelServer, Request, called, failed, said, serving
from tests.support.tiny import EPISODES, Tiny
from tests.unit.project.checkout import ROOT

SHARD = Shard(0, 1)

MODEL = """
kind: openai
serving: vllm
model: test-model
revision: null
context_tokens: 100000
calling: native
system_suffix: ""
sampling: {temperature: 0, top_p: null, seed: 7, max_tokens: 64}
request: {}
server:
  base_url: http://127.0.0.1:9/v1
  key_variable: STUDY_TEST_KEY
  timeout_seconds: 20
  retries: 0
  concurrency: 1
  input_price: null
  output_price: null
"""


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    monkeypatch.setenv("STUDY_TEST_KEY", KEY)
    built = Tiny.build(tmp_path)
    (built.configs / "agent" / "test.yaml").write_text(MODEL)
    return built


def answers(request: Request) -> Answer:
    """Say what depends on the request alone, and at times that do not follow its order."""
    turns = len(request.body["messages"]) // 2
    time.sleep(hash(json.dumps(request.body)) % 5 / 200)
    tools = [tool["function"]["name"] for tool in request.body["tools"]]
    if turns > 3:
        return said(f"seen {len(tools)} tools, and {KEY}")
    return called((tools[turns % len(tools)], "{}"), ("x", "{"), echo={"authorization": KEY})


def overrides(server: ModelServer, concurrency: int) -> tuple[str, ...]:
    return (
        "agent=test",
        "shard.count=1",
        f"agent.server.base_url={server.base_url}",
        f"agent.server.concurrency={concurrency}",
    )


def run(tiny: Tiny, server: ModelServer, concurrency: int) -> Manifest:
    study = tiny.study(*overrides(server, concurrency))
    result = run_shard(study, SHARD)
    assert (result.action, result.episodes) == ("ran", EPISODES)
    return read_record(study.folder.manifest(SHARD), Manifest)


def test_results_are_in_order_whatever_finishes_first(tiny: Tiny) -> None:
    manifests = []
    for concurrency in (1, 8):
        with serving(answers) as server:
            manifests.append(run(tiny, server, concurrency))
            shutil.rmtree(tiny.results)
            # The turns of an episode are in order: what stood before the last answer was a prompt.
            prompts: list[Any] = []
            for body in server.bodies:
                messages = body["messages"]
                said_at = [n for n, m in enumerate(messages) if m["role"] == "assistant"]
                assert not said_at or messages[: said_at[-1]] in prompts
                prompts.append(messages)
    assert manifests[0].logical_digest == manifests[1].logical_digest
    assert manifests[0].identity == manifests[1].identity
    assert [item.environment["concurrency"] for item in manifests] == ["1", "8"]


def test_several_episodes_are_asked_about_at_once(tiny: Tiny) -> None:
    import threading

    barrier = threading.Barrier(5, timeout=60)

    def together(request: Request) -> Answer:
        # 25 first turns, five at a time: each passes with four others only.
        if len(request.body["messages"]) == 2:
            barrier.wait()
        return said("REQUEST_MORE_TOOLS")

    with serving(together) as server:
        run(tiny, server, 5)


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def scanned(folder: Path) -> None:
    """Find the key nowhere: not in bytes, names, or the cells of compressed tables."""
    for path in files(folder):
        assert KEY not in str(path)
        assert KEY.encode() not in path.read_bytes(), path
        if path.suffix == ".parquet":
            table = read_table(path, TABLES[path.parent.name])
            assert KEY not in str(table.to_pylist()), path


def test_the_key_is_sent_and_stands_in_nothing_that_is_written(tiny: Tiny) -> None:
    with serving(answers) as server:
        run(tiny, server, 4)
        sent = {request.headers["authorization"] for request in server.requests}
    assert sent == {f"Bearer {KEY}"}
    assert {path.suffix for path in files(tiny.results)} >= {".parquet", ".json", ".jsonl"}
    scanned(tiny.results)
    study = tiny.study(*overrides(server, 4))
    terminal = aggregate(
        study.folder, expected=study.record(1), tasks=study.tasks, catalogs=study.catalogs
    )
    # Whoever gets the bundle gets the answers, and neither the key nor the server's address.
    shutil.unpack_archive(study.folder.terminal / BUNDLE, tiny.results / "unpacked")
    scanned(tiny.results)
    for path in files(tiny.results / "unpacked"):
        assert server.base_url.encode() not in path.read_bytes()
    assert terminal["evidence"] == "model"
    assert (terminal["timing"]["episodes_at_once"], terminal["timing"]["confounded"]) == (4, True)
    told = terminal["usage"]["ORACLE"]["overall"]
    assert told["input_tokens"] == 100 * told["turns"] > 0
    assert told["cached_tokens"] is None


@pytest.mark.parametrize("words", [["run-shard", "shard.index=0"], ["run"]])
def test_the_key_stands_in_no_message(tiny: Tiny, words: list[str], tmp_path: Path) -> None:
    def refuse(request: Request) -> Answer:
        return failed(401, f"Incorrect API key provided: {request.headers['authorization']}")

    with serving(refuse) as server:
        done = _command(tiny, *words, *overrides(server, 2), "--debug")
    assert done.returncode == 75
    assert "HTTP 401" in done.stderr
    assert KEY not in done.stdout + done.stderr
    scanned(tiny.results)


def _command(tiny: Tiny, verb: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a verb on the tiny study in a process of its own."""
    script = (
        "import sys, pathlib, harness.compose, harness.study\n"
        "configs, tasks = map(pathlib.Path, sys.argv[1:3])\n"
        "load = harness.compose.load_config\n"
        "harness.compose.load_config = lambda words: load(words, folder=configs)\n"
        "import harness.aggregate_command, harness.commands\n"
        "study = harness.commands.Study\n"
        "for module in (harness.aggregate_command, harness.commands):\n"
        "    module.load_config = harness.compose.load_config\n"
        "    module.Study = lambda config: study(config, tasks)\n"
        "from harness.cli import main\n"
        "if __name__ == '__main__':\n"
        "    sys.exit(main(sys.argv[3:]))\n"
    )
    command = [sys.executable, "-c", script, str(tiny.configs), str(tiny.tasks), verb]
    return subprocess.run(
        [*command, "study=tiny", f"results={tiny.results}", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=300,
        check=False,
    )


FAULTS: dict[str, Callable[[], Answer]] = {
    "dropped": lambda: Answer(drop=True),
    "refused": lambda: failed(503, "Loading model."),
    "another model": lambda: said("x", model="other"),
}


@pytest.mark.parametrize(
    ("fault", "concurrency"), [("dropped", 4), ("refused", 1), ("another model", 4)]
)
def test_a_fault_stops_the_shard_and_a_second_run_ends_it(
    tiny: Tiny, fault: str, concurrency: int
) -> None:
    left = 30

    def failing(request: Request) -> Answer:
        nonlocal left
        left -= 1
        return answers(request) if left > 0 else FAULTS[fault]()

    with serving(failing) as server:
        study = tiny.study(*overrides(server, concurrency))
        with pytest.raises(InfrastructureError):
            run_shard(study, SHARD)
        assert not study.folder.is_finished(SHARD)
        (attempt,) = Ledger(study.folder.attempts(SHARD)).attempts()
        assert attempt.outcome == "infrastructure"
        left = 10**9
        resumed = run(tiny, server, concurrency)
    shutil.rmtree(tiny.results)
    with serving(answers) as server:
        assert run(tiny, server, 1).logical_digest == resumed.logical_digest


def overflowing(request: Request) -> Any:
    if len(request.body["tools"]) > 10:
        return failed(
            400,
            "This model's maximum context length is 8192 tokens. However, your request has 9100 "
            "input tokens.",
        )
    return said("REQUEST_MORE_TOOLS")


def test_an_overflow_ends_an_episode_and_not_the_shard(tiny: Tiny) -> None:
    with serving(overflowing) as server:
        run(tiny, server, 2)
        study = tiny.study(*overrides(server, 2))
    rows = read_table(study.folder.table("episodes", SHARD), TABLES["episodes"]).to_pylist()
    endings = {row["condition"]: row["ending"] for row in rows}
    assert endings["FULL"] == "overflow"
    assert endings["SR-5-STATIC"] == "third_text"
    # Widened to the whole catalog after two turns without a call.
    assert endings["SR-PROGRESSIVE-STATIC"] == "overflow"


def test_every_preset_composes_with_the_command_that_starts_its_server() -> None:
    for path in sorted((CONFIG_FOLDER / "agent").glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        if "kind: openai" in text:
            assert text.startswith("# ")
            assert "\n#   " in text, path
