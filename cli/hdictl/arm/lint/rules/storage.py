"""X08: storage accounts."""

from __future__ import annotations

from collections.abc import Iterator

from hdictl.arm.lint.fields import at
from hdictl.arm.lint.marks import is_known
from hdictl.arm.lint.registry import ERROR, WARNING, Problem, rule
from hdictl.arm.lint.template import Template

_ACCOUNT = "Microsoft.Storage/storageAccounts"
_CONTAINER = f"{_ACCOUNT}/blobServices/containers"
_REFERENCE = "Microsoft.Storage/storageAccounts template reference"


@rule(
    "X080",
    ERROR,
    "No blob is public",
    why="A container that anybody can read needs only one wrong click more; a cluster's data is never for everybody.",
    fix="Set `allowBlobPublicAccess` to false, and `publicAccess` of containers to None.",
    source=_REFERENCE,
)
def public(template: Template) -> Iterator[Problem]:
    for account in template.of_type(_ACCOUNT):
        if at(account.body, "properties", "allowBlobPublicAccess") is True:
            yield Problem(
                (*account.path, "properties", "allowBlobPublicAccess"),
                f"{account} allows public access to blobs",
                "set `allowBlobPublicAccess` to false",
            )
    for container in template.of_type(_CONTAINER):
        access = at(container.body, "properties", "publicAccess")
        if isinstance(access, str) and is_known(access) and access.lower() != "none":
            yield Problem(
                (*container.path, "properties", "publicAccess"), f"{container} is public", "set `publicAccess` to None"
            )


@rule(
    "X081",
    WARNING,
    "Storage accounts have no shared keys",
    why="A key opens everything in the account to whoever has it, for ever; a managed identity has nothing to leak. "
    "They are on unless switched off.",
    fix="Set `allowSharedKeyAccess` to false, and give the cluster an identity with the role Storage Blob Data Owner.",
    source="Microsoft Learn: shared-key-authorization-prevent",
)
def shared_keys(template: Template) -> Iterator[Problem]:
    for account in template.of_type(_ACCOUNT):
        found = at(account.body, "properties", "allowSharedKeyAccess")
        if found is not False and is_known(found):
            yield Problem(
                (*account.path, "properties", "allowSharedKeyAccess"),
                f"{account} can be opened with shared keys",
                "set `allowSharedKeyAccess` to false",
            )


@rule(
    "X082",
    ERROR,
    "TLS is 1.2 or later",
    why="Older versions are broken. A storage account that does not say so takes 1.0.",
    fix="Set `minimumTlsVersion` to TLS1_2 on storage accounts, `minSupportedTlsVersion` to 1.2 on clusters.",
    source=f"{_REFERENCE}; azure-cli: --minimal-tls-version",
)
def tls(template: Template) -> Iterator[Problem]:
    for account in template.of_type(_ACCOUNT):
        found = at(account.body, "properties", "minimumTlsVersion")
        if found not in ("TLS1_2", "TLS1_3") and is_known(found):
            yield Problem(
                (*account.path, "properties", "minimumTlsVersion"),
                f"{account} takes TLS before 1.2",
                "set `minimumTlsVersion` to TLS1_2",
            )
    for cluster in template.clusters:
        found = at(cluster.body, "properties", "minSupportedTlsVersion")
        if found is not None and found != "1.2" and is_known(found):
            yield Problem(
                (*cluster.path, "properties", "minSupportedTlsVersion"),
                f"{cluster}: HDInsight takes TLS 1.2 only, not `{found}`",
                'write "1.2"',
            )


@rule(
    "X083",
    ERROR,
    "Storage is reached by HTTPS alone",
    why="Without it, data and tokens travel in the clear.",
    fix="Set `supportsHttpsTrafficOnly` to true, or leave it out.",
    source=_REFERENCE,
)
def https(template: Template) -> Iterator[Problem]:
    for account in template.of_type(_ACCOUNT):
        if at(account.body, "properties", "supportsHttpsTrafficOnly") is False:
            yield Problem(
                (*account.path, "properties", "supportsHttpsTrafficOnly"),
                f"{account} can be reached without TLS",
                "set `supportsHttpsTrafficOnly` to true",
            )
