"""Stack file to stack: read, overlay, substitute, validate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hdictl.errors import UsageError
from hdictl.stack.compose import Unset, overlay, substitute
from hdictl.stack.finding import Finding, Severity
from hdictl.stack.model import Stack
from hdictl.stack.source import Path as SourcePath
from hdictl.stack.source import Source, SourceError, read
from hdictl.stack.suggest import did_you_mean
from hdictl.stack.validate import validate

# Variables in these sections, and in these keys of a cluster, are needed only where Azure is; a laptop does not have
# them.
_AZURE_ONLY = {"azure", "secrets", "network", "storage", "monitor"}
_AZURE_ONLY_OF_CLUSTERS = {"name", "security", "entra_users", "rest_proxy", "encryption", "scripts", "tags"}


@dataclass(frozen=True)
class Loaded:
    """A stack with its source, so that rules can say where."""

    stack: Stack | None  # None: the file is too broken to say more than `findings`
    source: Source
    findings: tuple[Finding, ...]
    cut: frozenset[tuple[str, str]]
    file: Path
    env: str | None


def load(file: Path, *, env: str | None = None, target: str = "local", environ: Mapping[str, str]) -> Loaded:
    try:
        source = _read(file)
        if env is not None:
            source = overlay(source, _read(_overlay_file(file, env)))
    except SourceError as error:
        finding = Finding(
            "S001", Severity.ERROR, error.mark.file, error.message, f"mend line {error.mark.line}", error.mark
        )
        return Loaded(None, Source({}, file=str(file)), (finding,), frozenset(), file, env)
    source, unset = substitute(source, environ)
    missing = tuple(_unset_finding(one) for one in unset if target == "azure" or not _is_azure_only(one.path))
    validated = validate(source)
    return Loaded(validated.stack, source, missing + validated.findings, validated.cut, file, env)


def _is_azure_only(path: SourcePath) -> bool:
    in_cluster = path[0] == "clusters" and len(path) > 2 and path[2] in _AZURE_ONLY_OF_CLUSTERS
    return in_cluster or path[0] in _AZURE_ONLY


def _overlay_file(file: Path, env: str) -> Path:
    over = file.with_name(f"{file.stem}.{env}{file.suffix}")
    if not over.is_file():
        prefix = f"{file.stem}."
        known = sorted(path.stem.removeprefix(prefix) for path in file.parent.glob(f"{prefix}*{file.suffix}"))
        raise UsageError(
            f"--env {env}: there is no overlay `{over.name}`{did_you_mean(env, known)}",
            where=str(file.parent),
            fix=f"write {over.name}, or use one of: {', '.join(known) or 'none exist yet'}",
        )
    return over


def _read(file: Path) -> Source:
    try:
        text = file.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UsageError(
            "there is no stack file", where=str(file), fix="name one with --stack FILE, or go to its folder"
        ) from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise UsageError(f"line {line} is not UTF-8 text", where=str(file), fix="save the file as UTF-8") from None
    except OSError as error:
        raise UsageError(f"cannot be read: {error.strerror}", where=str(file), fix="name a readable file") from None
    return read(text, _shown(file))


def _shown(file: Path) -> str:
    """The file as the person named it, short when it lies below this folder."""
    try:
        return str(file.resolve().relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(file)


def _unset_finding(unset: Unset) -> Finding:
    address = ".".join(str(part) for part in unset.path)
    if unset.is_malformed:
        return Finding(
            "S005",
            Severity.ERROR,
            address,
            f"`{unset.name}` is not a variable",
            "write ${NAME}, or $${ for a plain ${",
            unset.mark,
        )
    return Finding(
        "S004",
        Severity.ERROR,
        address,
        f"the environment variable {unset.name} is not set",
        f"export {unset.name}=…, or give a default: ${{{unset.name}:-value}}",
        unset.mark,
    )
