import socket

import pytest

from hdictl.drivers.docker.labels import Container
from hdictl.drivers.docker.ports import broker_ports
from hdictl.drivers.free_ports import is_free
from hdictl.errors import PortInUse
from hdictl.ports.machine import BrokerSpec, KafkaSpec

BROKERS = (BrokerSpec(1001, fd=0, ud=0), BrokerSpec(1002, fd=1, ud=1))


def _container(node: str, port: int, state: str = "running") -> Container:
    return Container(f"id-{node}", node, "ingest", node, state, exit_code=0, started=None, port=port)


def _free_pair(choice: range) -> int:
    """The first of two ports that neither stacks nor outgoing connections are given."""
    return next(port for port in choice if is_free(port) and is_free(port + 1))


@pytest.fixture
def listener():
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        yield held.getsockname()[1]


def test_every_broker_has_a_port_of_its_own():
    ports = broker_ports([KafkaSpec("a", BROKERS), KafkaSpec("b", BROKERS)], [], reserved=())

    assert len(set(ports.values())) == 4


def test_ports_of_other_stacks_are_not_chosen():
    reserved = broker_ports([KafkaSpec("ingest", BROKERS)], [], reserved=())
    ports = broker_ports([KafkaSpec("ingest", BROKERS)], [], reserved=reserved.values())

    assert not set(ports.values()) & set(reserved.values())


def test_a_running_broker_keeps_its_port_although_it_is_in_use(listener):
    ports = broker_ports([KafkaSpec("ingest", BROKERS)], [_container("1001", listener)], reserved=[listener])

    assert ports["ingest", 1001] == listener


def test_a_stopped_broker_gets_its_port_back():
    free = broker_ports([KafkaSpec("ingest", BROKERS)], [], reserved=())["ingest", 1002]
    ports = broker_ports([KafkaSpec("ingest", BROKERS)], [_container("1002", free, "exited")], reserved=[free])

    assert ports["ingest", 1002] == free
    assert ports["ingest", 1001] != free


def test_a_stopped_broker_whose_port_was_taken_gets_another(listener):
    ports = broker_ports([KafkaSpec("ingest", BROKERS)], [_container("1001", listener, "exited")], reserved=())

    assert ports["ingest", 1001] != listener


def test_a_fixed_port_counts_up_from_the_first_broker():
    first = _free_pair(range(14000, 15000))

    assert broker_ports([KafkaSpec("ingest", BROKERS, port=first)], [], reserved=()) == {
        ("ingest", 1001): first,
        ("ingest", 1002): first + 1,
    }


def test_a_fixed_port_in_use_is_refused_with_its_number_and_broker():
    first = _free_pair(range(15000, 16000))
    with socket.create_server(("127.0.0.1", first + 1)), pytest.raises(PortInUse) as caught:
        broker_ports([KafkaSpec("ingest", BROKERS, port=first)], [], reserved=())

    assert str(first + 1) in caught.value.what
    assert caught.value.where == "cluster `ingest`, broker 1002"
    assert caught.value.fix
