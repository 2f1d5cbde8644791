"""`hdictl script` as a person runs it, in the fake cloud."""

from __future__ import annotations

TUNE = ("script", "run", "ingest", "tune", "--uri", "https://example.com/tune.sh")


def test_a_script_is_run_listed_and_read(site):
    assert "no script was run" in site.run("script", "history", "ingest").ok().out
    site.run("script", "output", "ingest").failed(2, "no script was run", "hdictl script history ingest")
    site.run(*TUNE).failed(1, "will run as root on every headnode, workernode of `ingest`", "--yes")
    assert site.cloud.ledger == []

    site.run(*TUNE, "--on", "worker", "--parameters", "-v 2", "--yes").ok()
    (run,) = site.run("script", "history", "ingest", "--json").ok().json["runs"]
    assert (run["name"], run["status"]) == ("tune", "Succeeded")
    output = site.run("script", "output", "ingest").ok().out
    assert [line.split("-")[0] for line in output.splitlines()] == ["wn0", "wn1", "wn3"]
    assert site.run("script", "output", "ingest", str(run["id"]), "--json").ok().json["output"] in output
    site.run("script", "output", "ingest", "17").failed(2, "no run 17")


def test_a_persisted_script_has_a_name_of_its_own(site):
    site.run(*TUNE, "--persist", "--yes").ok()
    site.run(*TUNE, "--persist", "--yes").failed(1, "exists already")


def test_a_script_that_fails_shows_what_it_wrote(site):
    site.cloud.break_script("https://example.com/tune.sh", "apt-get: E: unable to lock")
    site.run(*TUNE, "--yes").failed(1, "tune", "unable to lock", "hdictl script output ingest")


def test_an_address_that_no_node_can_read(site):
    site.run("script", "run", "ingest", "tune", "--uri", "./tune.sh", "--yes").failed(2, "cannot read `./tune.sh`")
    assert site.cloud.requests == []
