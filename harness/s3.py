"""A bucket behind an S3 API as an `ObjectStore`."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from harness.error import ConfigError
from harness.object_store import ObjectStore
from harness.plant import S3Section

ACCESS_KEY: Final = "AWS_ACCESS_KEY_ID"
SECRET_KEY: Final = "AWS_SECRET_ACCESS_KEY"
SESSION_TOKEN: Final = "AWS_SESSION_TOKEN"

_TAKEN: Final = "PreconditionFailed"
"""What a conditional put is answered when there is an object."""


def s3_store(section: S3Section, folder: str) -> ObjectStore:
    """Return the objects below a folder of the configured bucket and prefix.

    Raises
    ------
    ConfigError
        If the credentials are not in the environment, or the extra ``s3`` is not installed.
    """
    import pyarrow.fs as pafs

    access, secret = (_variable(name) for name in (ACCESS_KEY, SECRET_KEY))
    token = os.environ.get(SESSION_TOKEN)
    scheme, _, address = (section.endpoint or "https://").partition("://")
    filesystem = pafs.S3FileSystem(
        access_key=access,
        secret_key=secret,
        session_token=token,
        region=section.region,
        scheme=scheme,
        endpoint_override=address or None,
        request_timeout=section.timeout_seconds,
        connect_timeout=section.timeout_seconds,
        retry_strategy=pafs.AwsStandardS3RetryStrategy(max_attempts=section.attempts),
        # In this thread and, unless it is large, in one request: an object is there, or refused,
        # when its write returns.
        background_writes=False,
        allow_delayed_open=True,
    )
    path = "/".join(part for part in (section.bucket, section.prefix, folder) if part)
    create = _creator(section, access, secret, token)
    return ObjectStore(filesystem, path, create, f"s3://{path}")


def _creator(
    section: S3Section, access: str, secret: str, token: str | None
) -> Callable[[str, bytes], bool]:
    """Return what creates an object unless there is one: Arrow knows no conditional put."""
    try:
        import botocore.session
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError, ClientError
    except ImportError as error:
        raise ConfigError(
            "The store s3 needs a package that is not installed.", "Install the extra s3."
        ) from error
    client = botocore.session.Session().create_client(
        "s3",
        region_name=section.region,
        endpoint_url=section.endpoint,
        aws_access_key_id=access,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=Config(
            connect_timeout=section.timeout_seconds,
            read_timeout=section.timeout_seconds,
            retries={"total_max_attempts": section.attempts, "mode": "standard"},
            request_checksum_calculation="when_required",
            s3={"addressing_style": "path" if section.endpoint else "auto"},
        ),
    )

    def create(path: str, content: bytes) -> bool:
        bucket, _, key = path.partition("/")
        try:
            client.put_object(Bucket=bucket, Key=key, Body=content, IfNoneMatch="*")
        except ClientError as error:
            if error.response["Error"]["Code"] == _TAKEN:
                return False
            raise OSError(str(error)) from error
        except BotoCoreError as error:
            raise OSError(str(error)) from error
        return True

    return create


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        raise ConfigError(
            f"The store s3 needs the environment variable {name}.",
            f"Export {ACCESS_KEY} and {SECRET_KEY}; the configuration never holds credentials.",
        )
    return value
