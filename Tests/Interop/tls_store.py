"""A store over TLS on loopback, as Python's ssl speaks it, until its standard input ends.

    tls_store.py FOLDER PROTOCOL     with key.pem and certificate.pem in FOLDER; PROTOCOL is http/1.1, h2 or tls1.1

Prints its port, then a line for each request that it could read. It answers "PROTOCOL NUMBER", the number of the connection.
"""

import pathlib
import socket
import ssl
import struct
import sys
import threading

folder, protocol = pathlib.Path(sys.argv[1]), sys.argv[2]
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(folder / "certificate.pem", folder / "key.pem")
if protocol == "tls1.1":
    # OpenSSL no longer speaks it unless every cipher is allowed.
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
else:
    context.set_alpn_protocols([protocol])


def say(line):
    print(line, flush=True)


def exactly(connection, count):
    data = b""
    while len(data) < count:
        more = connection.recv(count - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def http1(connection, answer):
    head = b""
    while True:
        head += exactly(connection, 1)
        if head.endswith(b"\r\n\r\n"):
            say(head.split(b"\r\n")[0].decode())
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer))
            head = b""


def http2(connection, answer):
    """Speaks enough of RFC 9113 for a client that sends little: settings, and an answer to each stream that has ended."""
    assert exactly(connection, 24).startswith(b"PRI * HTTP/2.0")
    connection.sendall(frame(4, 0, 0))
    while True:
        head = exactly(connection, 9)
        length, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
        stream = int.from_bytes(head[5:], "big") & 0x7FFFFFFF
        exactly(connection, length)
        if kind == 4 and not flags & 1:
            connection.sendall(frame(4, 1, 0))
        if kind in (0, 1) and flags & 1:
            say(f"stream {stream}")
            # 0x88 is the table's entry for ":status: 200".
            connection.sendall(frame(1, 4, stream, b"\x88") + frame(0, 1, stream, answer))


def serve(connection, number):
    try:
        with context.wrap_socket(connection, server_side=True) as connection:
            answer = f"{connection.selected_alpn_protocol()} {number}".encode()
            (http2 if connection.selected_alpn_protocol() == "h2" else http1)(connection, answer)
    except (EOFError, OSError):
        pass


def accept(listener):
    number = 0
    while True:
        connection, _ = listener.accept()
        number += 1
        threading.Thread(target=serve, args=(connection, number), daemon=True).start()


listener = socket.create_server(("127.0.0.1", 0))
say(listener.getsockname()[1])
threading.Thread(target=accept, args=(listener,), daemon=True).start()
sys.stdin.read()
