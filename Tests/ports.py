"""Ports of this machine for the programs under test, each taken when it is chosen and never given away."""

import socket
import sys

_kept = []


def take():
    """A port of 127.0.0.1 that nobody else gets until this process ends.

    It is bound here, and nobody listens on it: who connects is refused. The system gives a bound port neither to those who ask for
    any nor to connections that go out. A program that is told the number listens on it beside us, as often as it is started anew,
    for both allow the reuse of the address (SO_REUSEADDR), as servers do that are to be started again.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    number = holder.getsockname()[1]
    if sys.platform == "linux":
        _kept.append(holder)
    else:
        # Elsewhere nobody may listen beside us.
        holder.close()
    return number
