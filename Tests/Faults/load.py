"""Signed notifications of the product's own simulator, and a client that sends them and keeps every answer."""

import base64
import collections
import http.client
import http.server
import json
import random
import threading
import time
import urllib.parse


def notification_uuid(signed_payload):
    body = signed_payload.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))["notificationUUID"].lower()


def simulated(installation, customers, months, seed):
    """Returns the simulator's signed payloads by notification id, in order."""
    collected = collections.OrderedDict()

    class Collector(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            payload = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["signedPayload"]
            collected[notification_uuid(payload)] = payload
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    installation.do(
        "simulate", "apple", "--customers", str(customers), "--months", str(months), "--seed", str(seed),
        "--authority", str(installation.authority), "--concurrency", "1",
        "--to", f"http://127.0.0.1:{server.server_port}")
    server.shutdown()
    server.server_close()
    return collected


class Journal:
    """The answers to the client, by notification: they prove what must be stored afterwards."""

    def __init__(self):
        self._lock = threading.Lock()
        self.accepted = set()
        self.answers = collections.Counter()
        self.times = []

    def write(self, uuid, status, seconds):
        with self._lock:
            self.answers[status] += 1
            self.times.append(seconds)
            if status == 200:
                self.accepted.add(uuid)


class Load:
    """Sends each payload so many times, in random order and at a steady pace, until it is answered with 200."""

    def __init__(self, payloads, ports, journal, copies=3, threads=8, per_second=120, seed=1):
        self.journal = journal
        self._ports = ports
        self._pace = threads / per_second
        self._queue = collections.deque(list(payloads.items()) * copies)
        random.Random(seed).shuffle(self._queue)
        self._is_stopped = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(number,), daemon=True) for number in range(threads)]

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Starts no new request; those under way are answered or lost."""
        self._is_stopped.set()
        self.join()

    def join(self, within=400):
        for thread in self._threads:
            thread.join(within)
            assert not thread.is_alive(), "a request hangs"

    def _work(self, number):
        port = self._ports[number % len(self._ports)]
        connection = None
        while not self._is_stopped.is_set():
            try:
                uuid, payload = self._queue.popleft()
            except IndexError:
                return
            status = 0
            while status != 200 and not self._is_stopped.is_set():
                started = time.monotonic()
                connection = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=300)
                status = post(connection, payload)
                self.journal.write(uuid, status, time.monotonic() - started)
                if status == 0:
                    connection.close()
                    connection = None
                time.sleep(max(0.0, self._pace - (time.monotonic() - started)))


def post(connection, signed_payload, path="/webhooks/apple"):
    """Returns the status of the answer; 0 when none came, so that the result is unknown. A 503 has to have a Retry-After."""
    try:
        connection.request(
            "POST", path, json.dumps({"signedPayload": signed_payload}), {"Content-Type": "application/json"})
        response = connection.getresponse()
        response.read()
        if response.status == 503 and not (response.getheader("Retry-After") or "").isdigit():
            return "503 without Retry-After"
        return response.status
    except (OSError, http.client.HTTPException):
        return 0
