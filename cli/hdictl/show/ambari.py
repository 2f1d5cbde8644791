"""What Ambari knows: hosts, settings, what a change would do, what was restarted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import unified_diff
from typing import Any

from rich.markup import escape

from hdictl.ports.ambari import KAFKA_BROKER, ZOOKEEPER_SERVER, Component, ConfigEdit, Configuration, Host, is_secret
from hdictl.show.tables import print_table, table
from hdictl.show.terminal import out, print_json

_STARS = "***"
_ROLES = {"hn": "head", "wn": "worker", "zk": "zookeeper", "km": "management", "ed": "edge"}


def show_hosts(cluster: str, hosts: Sequence[Host], *, as_json: bool) -> None:
    if as_json:
        print_json("ambari hosts", {"cluster": cluster, "hosts": [_host_json(host) for host in hosts]})
        return
    rows = table("host", "role", "address", "state", "broker", "ZooKeeper", "needs a restart")
    for host in hosts:
        stale = ", ".join(component.name for component in host.components if component.is_stale)
        colour = "green" if host.state == "HEALTHY" else "bold red"
        rows.add_row(
            escape(host.name.partition(".")[0]),
            _role(host),
            host.ip,
            f"[{colour}]{host.state.lower()}[/{colour}]",
            _state(host.component(KAFKA_BROKER)),
            _state(host.component(ZOOKEEPER_SERVER)),
            f"[yellow]{escape(stale)}[/yellow]" if stale else "",
        )
    domains = ", ".join(sorted({host.name.partition(".")[2] for host in hosts}))
    out.print(f"[bold]{escape(cluster)}[/bold]  [dim]{len(hosts)} hosts in {escape(domains)}[/dim]")
    print_table(rows)


def show_types(cluster: str, types: Mapping[str, str], *, as_json: bool) -> None:
    if as_json:
        print_json("ambari config", {"cluster": cluster, "types": dict(types)})
        return
    rows = table("type", "tag in force")
    for type, tag in types.items():
        rows.add_row(escape(type), escape(tag))
    print_table(rows)


def show_config(cluster: str, configuration: Configuration, *, as_json: bool) -> None:
    properties = {key: seen(key, value) for key, value in sorted(configuration.properties.items())}
    if as_json:
        body = {"type": configuration.type, "tag": configuration.tag, "properties": properties}
        print_json("ambari config", {"cluster": cluster, **body})
        return
    out.print(f"[bold]{escape(configuration.type)}[/bold]  [dim]{escape(configuration.tag)}[/dim]")
    for key, value in properties.items():
        first, *more = value.splitlines() or [""]
        out.print(f"{escape(key)} = {escape(first)}")
        for line in more:
            out.print(f"    {escape(line)}")


def print_edits(edits: Sequence[ConfigEdit]) -> None:
    for edit in edits:
        for key, value in edit.effective.items():
            out.print(f"[bold]{escape(edit.seen.type)}[/bold] {escape(key)}")
            for line in _difference(key, edit.seen.properties.get(key), value):
                colour = {"+": "green", "-": "red"}.get(line[:1], "dim")
                out.print(f"  [{colour}]{escape(line)}[/{colour}]")


@dataclass(frozen=True)
class Written:
    """A change of settings: what was asked, what is in force now, and who has to restart for it."""

    cluster: str
    edits: Sequence[ConfigEdit]
    configurations: Sequence[Configuration]
    stale: Sequence[Component]

    @property
    def waiting(self) -> dict[str, list[str]]:
        """Service → its parts that need a restart."""
        found: dict[str, list[str]] = {}
        for component in self.stale:
            found.setdefault(component.service, []).append(f"{component.name} on {component.host}")
        return dict(sorted(found.items()))


def show_written(command: str, written: Written, *, as_json: bool) -> None:
    if as_json:
        print_json(command, _written_json(written))
        return
    if not written.configurations:
        out.print("nothing to change")
    for configuration in written.configurations:
        out.print(f"{escape(configuration.type)} is {escape(configuration.tag)} now")
    for service, parts in written.waiting.items():
        mine = f": hdictl ambari restart {escape(written.cluster)}"
        how = mine if service == "KAFKA" else " on Ambari's page of the service"
        out.print(f"[yellow]{escape(service)}[/yellow] needs a restart ({len(parts)} parts){how}")


def _written_json(written: Written) -> dict[str, Any]:
    changes = {
        edit.seen.type: {key: None if value is None else seen(key, value) for key, value in edit.effective.items()}
        for edit in written.edits
        if edit.effective
    }
    tags = {configuration.type: configuration.tag for configuration in written.configurations}
    return {"cluster": written.cluster, "changed": changes, "tags": tags, "needs_restart": written.waiting}


def show_restarted(cluster: str, restarted: Sequence[str], current: Sequence[str], *, as_json: bool) -> None:
    if as_json:
        print_json("ambari restart", {"cluster": cluster, "restarted": list(restarted), "up_to_date": list(current)})
    elif not restarted:
        out.print("every broker is up to date; --all restarts them all the same")
    else:
        rest = f"; {len(current)} were up to date" if current else ""
        out.print(f"[green]✓[/green] {len(restarted)} brokers are restarted{rest}")


def seen(key: str, value: str | None) -> str:
    """A value as it may be seen."""
    if value is None:
        return "(gone)"
    return _STARS if value and (is_secret(key) or value.startswith("SECRET:")) else value


def _difference(key: str, before: str | None, after: str | None) -> list[str]:
    if seen(key, before) == _STARS or seen(key, after) == _STARS:
        return [f"- {_STARS}", f"+ {seen(key, after)}"]
    old, new = (before or "").splitlines(), (after or "").splitlines()
    if len(old) <= 1 and len(new) <= 1:
        removed = [f"- {before}"] if before is not None else []
        return removed + ([f"+ {after}"] if after is not None else [])
    return [line for line in unified_diff(old, new, n=2, lineterm="") if not line.startswith(("---", "+++"))]


def _host_json(host: Host) -> dict[str, Any]:
    return {
        "name": host.name,
        "role": _role(host),
        "ip": host.ip,
        "state": host.state,
        "components": [asdict(component) for component in host.components],
    }


def _role(host: Host) -> str:
    """HDInsight puts it at the beginning of the name: wn0-ingest."""
    return _ROLES.get(host.name[:2], "other")


def _state(component: Component | None) -> str:
    if component is None:
        return ""
    colour = "green" if component.is_started else "bold red"
    maintenance = " [yellow](maintenance)[/yellow]" if component.in_maintenance else ""
    word = "stopped" if component.state == "INSTALLED" else component.state.lower()
    return f"[{colour}]{word}[/{colour}]{maintenance}"
