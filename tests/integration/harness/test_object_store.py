"""Objects behind an S3 API: whole or not there, and told from a store that does not answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from harness.error import ConfigError, InfrastructureError
from harness.object_store import ObjectStore
from harness.plant import S3Section
from harness.s3 import s3_store
from tests.support.bucket import Service, log_in


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    service = Service()
    yield service
    service.close()


def section(service: Service, **changes: Any) -> S3Section:
    fields: dict[str, Any] = {
        "kind": "s3",
        "bucket": service.bucket() if "bucket" not in changes else "",
        "prefix": "some/where",
        "endpoint": service.endpoint,
        "timeout_seconds": 1.0,
        "attempts": 2,
    }
    return S3Section(**fields | changes)


@pytest.fixture
def store(service: Service, monkeypatch: pytest.MonkeyPatch) -> ObjectStore:
    log_in(monkeypatch)
    return s3_store(section(service), "dev/0123")


def test_what_was_put_is_read(store: ObjectStore) -> None:
    assert store.read("a/b.json") is None
    for content in (b"", b"one", bytes(range(256)) * 50_000):
        store.put("a/b.json", content)
        assert store.read("a/b.json") == content
    store.remove("a/b.json")
    store.remove("a/b.json")
    assert store.read("a/b.json") is None


def test_names_are_those_of_objects_below_a_folder(store: ObjectStore) -> None:
    assert store.names("attempts") == ()
    for name in ("attempts/two/2", "attempts/one", "attempts/two/1", "attempts-not", "other/x"):
        store.put(name, b"")
    store.remove("attempts/two/2")
    assert store.names("attempts") == ("attempts/one", "attempts/two/1")
    assert store.folders() == ("attempts", "other")


def test_only_the_first_creates_an_object(store: ObjectStore) -> None:
    assert store.put_new("manifest", b"first")
    assert not store.put_new("manifest", b"second")
    assert store.read("manifest") == b"first"


def test_a_put_whose_answer_was_lost_is_known_again(store: ObjectStore) -> None:
    assert store.put_new("manifest", b"first")
    assert store.put_new("manifest", b"first")


def test_stores_of_other_prefixes_do_not_meet(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(monkeypatch)
    first = section(service)
    second = first.model_copy(update={"prefix": ""})
    s3_store(first, "dev").put("x", b"1")
    assert s3_store(second, "dev").read("x") is None
    assert s3_store(second, "some/where/dev").read("x") == b"1"
    assert s3_store(first, "dev").label == f"s3://{first.bucket}/some/where/dev"


def test_a_failure_that_passes_is_tried_again(service: Service, store: ObjectStore) -> None:
    store.put("x", b"1")
    left = iter(["500 Internal Server Error"])
    with service.failing(lambda method, path: next(left, None)):
        assert store.read("x") == b"1"
    left = iter(["503 Slow Down"])
    with service.failing(lambda method, path: next(left, None)):
        assert store.put_new("y", b"2")
    assert store.read("y") == b"2"


@pytest.mark.parametrize("answer", ["503 Slow Down", "500 Internal Server Error", "403 Forbidden"])
def test_a_failure_that_stays_is_infrastructure(
    service: Service, store: ObjectStore, answer: str
) -> None:
    calls = (
        lambda: store.read("x"),
        lambda: store.put("x", b"1"),
        lambda: store.put_new("x", b"1"),
        lambda: store.names("x"),
        lambda: store.remove("x"),
    )
    with service.failing(lambda method, path: answer):
        for call in calls:
            with pytest.raises(InfrastructureError, match=r"s3://study-\d+/some/where/") as caught:
                call()
            assert caught.value.exit_code == 75
    assert store.read("x") is None


def test_a_store_that_is_slow_is_waited_for_and_one_that_hangs_is_not(
    service: Service, store: ObjectStore
) -> None:
    store.put("x", b"1")
    with service.failing(lambda method, path: 0.3):
        assert store.read("x") == b"1"
        assert store.put_new("slow", b"2")
    with service.failing(lambda method, path: 60.0):
        for call in (lambda: store.read("x"), lambda: store.put_new("z", b"1")):
            with pytest.raises(InfrastructureError):
                call()


def test_a_bucket_that_is_not_there_is_infrastructure(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(monkeypatch)
    store = s3_store(section(service, bucket="vanished"), "dev")
    with pytest.raises(InfrastructureError, match="s3://vanished/some/where/dev/x"):
        store.put("x", b"1")
    with pytest.raises(InfrastructureError, match="s3://vanished/some/where/dev/x"):
        store.put_new("x", b"1")


def test_a_store_that_nobody_serves_is_infrastructure(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    log_in(monkeypatch)
    store = s3_store(section(service, endpoint="http://127.0.0.1:9", attempts=1), "dev")
    for call in (lambda: store.read("x"), lambda: store.put_new("x", b"1")):
        with pytest.raises(InfrastructureError):
            call()


@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_credentials_come_from_the_environment_alone(
    service: Service, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    log_in(monkeypatch)
    monkeypatch.delenv(name)
    with pytest.raises(ConfigError, match=f"needs the environment variable {name}") as caught:
        s3_store(section(service), "dev")
    assert caught.value.exit_code == 1
