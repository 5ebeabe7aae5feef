"""An App Store that answers at once and knows no transaction: orders are empty, and test notifications time out."""

import base64
import http.server
import json
import threading
import uuid


class _Answers(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.removeprefix("/sandbox").split("?")[0]
        if path.startswith("/inApps/v1/lookup/"):
            return self._answer(200, {"status": 0, "signedTransactions": []})
        if path.startswith("/inApps/v1/notifications/test/"):
            attempt = {"attemptDate": 1_767_225_600_000, "sendAttemptResult": "TIMED_OUT"}
            return self._answer(200, {"signedPayload": _unsigned(path.split("/")[-1]), "sendAttempts": [attempt]})
        return self._unknown()

    def do_POST(self):
        self._read()
        if self.path.endswith("/inApps/v1/notifications/test"):
            return self._answer(200, {"testNotificationToken": str(uuid.uuid4())})
        return self._unknown()

    def do_PUT(self):
        self._read()
        return self._answer(200) if self.path.endswith("/appAccountToken") else self._unknown()

    def log_message(self, *_):
        pass

    def _read(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def _unknown(self):
        # Not "transaction id not found": for a new purchase that would be asked again for a quarter of a minute.
        self._answer(404, {"errorCode": 4040001, "errorMessage": "Account not found."})

    def _answer(self, status, content=None):
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _unsigned(token):
    """Returns a token of three parts; its status is read but never believed."""
    def part(content):
        return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()
    header = {"alg": "ES256", "x5c": ["AA==", "AA==", "AA=="]}
    return f"{part(header)}.{part({'notificationUUID': token})}.{base64.urlsafe_b64encode(bytes(64)).rstrip(b'=').decode()}"


def start():
    """Starts the store, which ends with the process; returns its base URL."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
