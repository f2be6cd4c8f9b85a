"""What an OpenAPI document says about authentication."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from router.access import AuthRequirementSet, AuthSchemeRequirement
from router.interchange.building import built
from router.interchange.place import Place
from router.interchange.schema import SchemaReader

__all__ = ["read_security", "security_of", "security_scheme"]

_KINDS: Final = {
    "apiKey": "api_key",
    "http": "http",
    "oauth2": "oauth2",
    "openIdConnect": "openid_connect",
}


def read_security(
    root: Place, operation: Place, reader: SchemaReader
) -> tuple[AuthRequirementSet, ...]:
    """The alternatives of an operation; those of the document where it names none.

    Raises
    ------
    InterchangeError
        When a scheme is not among the document's components, or malformed.
    """
    listed = operation.at("security") or root.at("security")
    if listed is None:
        return ()
    return tuple(
        built(
            AuthRequirementSet,
            place,
            schemes=tuple(_scheme(name, scopes, root, reader) for name, scopes in place.members()),
        )
        for place in listed.items()
    )


def _scheme(name: str, scopes: Place, root: Place, reader: SchemaReader) -> AuthSchemeRequirement:
    components = root.at("components")
    schemes = None if components is None else components.at("securitySchemes")
    listed = None if schemes is None else schemes.at(name)
    if listed is None:
        raise scopes.error(
            f"The document describes no security scheme {name[:80]!a}.",
            "Add it to components/securitySchemes.",
        )
    place = reader.resolve(listed)
    declared = place.need("type").name()
    kind = _KINDS.get(declared, "unsupported")
    members: dict[str, Any] = {}
    if kind == "api_key":
        members = {"location": place.need("in").text(), "parameter_name": place.need("name").text()}
    elif kind == "http":
        members = {"http_scheme": place.need("scheme").text()}
    return built(
        AuthSchemeRequirement,
        place,
        name=name,
        kind=kind,
        scopes=tuple(scope.text() for scope in scopes.items()),
        declared_type=declared,
        **members,
    )


def security_of(requirements: Iterable[AuthRequirementSet]) -> list[dict[str, list[str]]]:
    """The ``security`` of an operation."""
    return [
        {scheme.name: list(scheme.scopes) for scheme in requirement.schemes}
        for requirement in requirements
    ]


def security_scheme(scheme: AuthSchemeRequirement) -> dict[str, Any]:
    """The Security Scheme Object of a scheme; flows and addresses are the provider's to add."""
    names = {kind: name for name, kind in _KINDS.items()}
    found: dict[str, Any] = {
        "type": names.get(scheme.kind, scheme.declared_type or scheme.kind),
    }
    if scheme.kind == "api_key":
        found |= {"in": scheme.location, "name": scheme.parameter_name}
    elif scheme.kind == "http":
        found["scheme"] = scheme.http_scheme
    elif scheme.kind == "oauth2":
        found["flows"] = {}
    elif scheme.kind == "openid_connect":
        found["openIdConnectUrl"] = ""
    return found
