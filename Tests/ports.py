"""Ports of this machine for the programs under test, each bound when it is chosen and never released."""

import socket
import sys

_kept = []


def take():
    """Returns a port of 127.0.0.1 that nobody else gets until this process ends.

    It is bound here without listening: connections are refused. The system gives a bound port neither to a program that asks for
    any port nor to outgoing connections. A program that is told the number can listen on it beside us, as often as it restarts, for
    both allow the reuse of the address (SO_REUSEADDR), as servers do that may restart. """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    number = holder.getsockname()[1]
    if sys.platform == "linux":
        _kept.append(holder)
    else:
        # On other systems nobody may listen beside us.
        holder.close()
    return number
