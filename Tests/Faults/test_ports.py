"""A test's port stays its own, before its program listens on it and after the program was killed."""

import socket

import pytest

import ports


def test_who_asks_for_any_port_never_gets_one_that_is_taken():
    taken = {ports.take() for _ in range(50)}
    assert len(taken) == 50
    others = [socket.create_server(("127.0.0.1", 0)) for _ in range(200)]
    assert taken.isdisjoint(other.getsockname()[1] for other in others)
    for other in others:
        other.close()


def test_programs_listen_on_it_one_after_the_other_and_whoever_comes_between_is_refused():
    port = ports.take()
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))
        with socket.create_server(("127.0.0.1", port)):
            socket.create_connection(("127.0.0.1", port)).close()
            with pytest.raises(OSError, match="in use"):
                socket.create_server(("127.0.0.1", port))
