"""Tables on narrow screens."""

from __future__ import annotations

from hdictl.show.tables import print_table, table

NAME = "longer-than-any-screen-" * 20


def test_nothing_is_cut_short_where_the_screen_is_narrow(capsys):
    rows = table("cluster", "size", "workers", right=("workers",))
    rows.add_row(NAME, "Standard_E8_v3", "4")
    rows.add_row("jobs", "[green]Standard_A2_v2[/green]", "10")
    print_table(rows)
    head, first, second = capsys.readouterr().out.splitlines()
    assert first.split() == [NAME, "Standard_E8_v3", "4"]
    assert second.split() == ["jobs", "Standard_A2_v2", "10"]
    assert head.index("size") == first.index("Standard") == second.index("Standard")
    assert len(first.rstrip()) == len(second.rstrip())
