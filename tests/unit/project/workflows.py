"""Checks of a workflow that its JSON Schema cannot make: do its names refer to something?"""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

Node = Mapping[str, Any]

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_REFERENCE = re.compile(
    r"\b(?P<inputs>inputs)\.(?P<input>[\w-]+)|\bmatrix\.(?P<matrix>[\w-]+)"
    r"|\bneeds\.(?P<need>[\w-]+)\.outputs\.(?P<output>[\w-]+)|\bsteps\.(?P<step>[\w-]+)\."
)
_MAKE = re.compile(r"(?:^|[;&|\s])make((?:\s+[\w=./-]+)*)", re.MULTILINE)


def load_workflow(text: str) -> Node:
    """Read a workflow as text scalars, so that the key ``on`` stays a word."""
    document: Node = yaml.load(text, Loader=yaml.BaseLoader)
    return document


def steps(workflow: Node) -> Iterator[tuple[str, Node]]:
    """Yield every step with the name of its job."""
    for name, job in workflow["jobs"].items():
        yield from ((name, step) for step in job.get("steps", ()))


def make_targets(workflow: Node) -> set[str]:
    """Return every target that a step asks make for; the default target is ``""``."""
    targets = set()
    for _, step in steps(workflow):
        for words in _MAKE.findall(step.get("run", "")):
            named = {word for word in words.split() if "=" not in word and word[0] != "-"}
            targets |= named or {""}
    return targets


def _texts(node: object) -> Iterator[str]:
    match node:
        case str():
            yield node
        case Mapping():
            for value in node.values():
                yield from _texts(value)
        case list():
            for value in node:
                yield from _texts(value)


def _unknown(job: Node, workflow: Node) -> Iterator[str]:
    """Yield every reference of a job's expressions that names nothing."""
    jobs = workflow["jobs"]
    inputs = ((workflow["on"] or {}).get("workflow_dispatch") or {}).get("inputs", {})
    matrix = job.get("strategy", {}).get("matrix", {})
    ids = {step["id"] for step in job.get("steps", ()) if "id" in step}
    needs = job.get("needs", [])
    needed = {needs} if isinstance(needs, str) else set(needs)
    for text in _texts(job):
        for expression in _EXPRESSION.findall(text):
            for found in _REFERENCE.finditer(expression):
                need = found["need"]
                known = (
                    (found["inputs"] and found["input"] in inputs)
                    or found["matrix"] in matrix
                    or found["step"] in ids
                    or (need in needed and found["output"] in jobs[need].get("outputs", {}))
                )
                if not known:
                    yield f"{found[0]} names nothing"


def _script(step: Node) -> Iterator[str]:
    script = step.get("run")
    if script is None:
        return
    # Text put into a script is run as part of it; an environment variable is not.
    if _EXPRESSION.search(script):
        yield "an expression stands inside a script"
    elif step.get("shell") == "python":
        try:
            ast.parse(script)
        except SyntaxError as error:
            yield f"not Python: {error}"
    else:
        parsed = subprocess.run(
            ["bash", "-n"], check=False, input=script, capture_output=True, text=True
        )
        if parsed.returncode:
            yield f"not a shell script: {parsed.stderr.strip()}"


def problems(workflow: Node) -> list[str]:
    """Name everything in a workflow that refers to nothing, cannot run or has no limit."""
    jobs = workflow["jobs"]
    found = [] if "permissions" in workflow else ["permissions are not restricted"]
    for name, job in jobs.items():
        needs = job.get("needs", [])
        for need in [needs] if isinstance(needs, str) else needs:
            if need not in jobs:
                found.append(f"{name}: needs {need}, which is no job")
        if "timeout-minutes" not in job:
            found.append(f"{name}: has no timeout")
        found += [f"{name}: {problem}" for problem in _unknown(job, workflow)]
    for name, step in steps(workflow):
        found += [f"{name}: {problem}" for problem in _script(step)]
        if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@v?\w[\w.-]*", step["uses"]):
            found.append(f"{name}: {step['uses']} has no version")
    return found
