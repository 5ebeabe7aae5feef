"""Sends writes at a steady pace, whatever becomes of earlier ones, and measures each wait from the time when it was due."""
import http.client
import threading
import time

from report import percentile

# Each sender has a connection of its own; a write that is due while all of them wait is late, and counts as such.
SENDERS = 16


class Writes:
    """Sends the requests of a file that `Benchmarks requests` wrote, so many a second, while the `with` lasts."""

    def __init__(self, requests, port, rate):
        self.requests, self.port, self.rate = requests, port, rate
        self.is_over, self.lock = threading.Event(), threading.Lock()
        self.milliseconds, self.refused, self.sent = [], [], 0

    def __enter__(self):
        self.began = time.monotonic()
        self.senders = [threading.Thread(target=self._send) for _ in range(SENDERS)]
        for sender in self.senders:
            sender.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for sender in self.senders:
            sender.join()
        self.seconds = time.monotonic() - self.began

    def result(self):
        """Returns the rate and the waits; raises `RuntimeError` if a write was refused, or none was sent."""
        if self.refused or not self.milliseconds:
            raise RuntimeError(f"{len(self.refused)} writes were refused, such as: {self.refused[:1]}")
        return {"rate": len(self.milliseconds) / self.seconds, "count": len(self.milliseconds), "seconds": self.seconds,
                "p50": percentile(self.milliseconds, 0.5), "p99": percentile(self.milliseconds, 0.99),
                "most": max(self.milliseconds)}

    def _send(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        while True:
            with self.lock:
                number, self.sent = self.sent, self.sent + 1
                body = next(self.requests, None)
            due = self.began + number / self.rate
            if body is None or self.is_over.wait(max(0, due - time.monotonic())):
                break
            try:
                connection.request("POST", "/webhooks/apple", body, {"Content-Type": "application/json"})
                response = connection.getresponse()
                said = response.read()
                if response.status != 200:
                    self.refused.append(f"{response.status} {said[:200]}")
            except OSError as error:
                self.refused.append(str(error))
                connection.close()
            self.milliseconds.append((time.monotonic() - due) * 1000)
        connection.close()


def bodies(path):
    """Yields the bodies of a file of requests, one after another."""
    with open(path, "rb") as file:
        while length := file.readline():
            yield file.read(int(length)).split(b"\r\n\r\n", 1)[1]
