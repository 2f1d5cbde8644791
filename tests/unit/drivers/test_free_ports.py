from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from hdictl.drivers.free_ports import PortBook, is_free, require_free
from hdictl.errors import PortInUse


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def book(tmp_path):
    return PortBook(tmp_path)


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop").mkdir()
    return tmp_path / "shop"


@pytest.fixture
def bank(tmp_path):
    """Of the same name, as one stack that is kept in two places would be."""
    (tmp_path / "elsewhere" / "shop").mkdir(parents=True)
    return tmp_path / "elsewhere" / "shop"


def test_a_port_in_use_names_number_pid_and_next_step(listener):
    assert not is_free(listener)
    with pytest.raises(PortInUse) as failure:
        require_free(listener, where="cluster `ingest`")
    assert f"port {listener} is in use by process {os.getpid()} (" in failure.value.what
    assert "another port" in failure.value.fix


def test_a_port_used_on_every_address_is_in_use():
    with socket.create_server(("", 0)) as server:
        assert not is_free(server.getsockname()[1])


def test_a_port_that_was_just_closed_is_free(listener):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        client = socket.create_connection(("127.0.0.1", port))
        accepted, _ = server.accept()
        accepted.close()  # this side lingers in TIME_WAIT
        client.close()
    assert is_free(port)


def test_ports_are_distinct_and_below_what_the_system_gives_out(book, shop):
    ports = book.choose(shop, 5)
    assert len(set(ports)) == 5
    range_file = Path("/proc/sys/net/ipv4/ip_local_port_range")
    first = int(range_file.read_text().split()[0]) if range_file.exists() else 49152
    assert all(1024 < port < first for port in ports)


def test_remembered_ports_come_back_unless_someone_has_them(book, shop, listener):
    first = book.choose(shop, 2)
    assert book.choose(shop, 2, remembered=first) == first
    exchanged = book.choose(shop, 2, remembered=[listener, first[1]])
    assert listener not in exchanged
    assert exchanged[0] == first[1]


def test_another_instance_never_gets_claimed_ports(book, shop, bank):
    claimed = book.choose(shop, 3)
    assert not set(claimed) & set(book.choose(bank, 3, remembered=claimed))
    book.release(shop)
    assert book.choose(bank, 3, remembered=claimed) == claimed


def test_the_ports_of_a_removed_instance_are_free_again(book, shop, bank):
    claimed = book.choose(shop, 3)
    shop.rmdir()
    assert book.choose(bank, 3, remembered=claimed) == claimed


def test_a_damaged_book_is_begun_again(book, shop, tmp_path):
    (tmp_path / "ports.json").write_text("{")
    assert len(book.choose(shop, 1)) == 1


def test_processes_that_choose_at_the_same_moment_get_different_ports(tmp_path):
    """Each is a stack of the same name with a state folder of its own, and none has bound anything yet."""
    program = """
import sys
from pathlib import Path
from hdictl.drivers.free_ports import PortBook
stack = Path(sys.argv[2])
stack.mkdir(parents=True)
print(*PortBook(Path(sys.argv[1])).choose(stack, 50, remembered=range(23000, 23050)))
"""
    choosers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path), str(tmp_path / number / "shop")], stdout=subprocess.PIPE
        )
        for number in "123"
    ]
    chosen = [port for chooser in choosers for port in chooser.communicate(timeout=120)[0].split()]
    assert len(chosen) == len(set(chosen)) == 150
