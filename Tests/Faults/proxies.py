"""nginx and HAProxy on loopback with TLS, configured by the files of docs/proxy; and browsers behind them."""

import contextlib
import http.client
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import tempfile
import urllib.parse

import html5lib

import ports
from installation import REPOSITORY, until

HOST = "office.example.com"
FILES = REPOSITORY / "docs" / "proxy"


def _program(name):
    # Debian keeps servers in directories that only the administrator's search path has.
    found = shutil.which(name, path="/usr/sbin:/sbin:/usr/local/sbin:/usr/bin:/bin:/usr/local/bin")
    assert found, f"{name} is not installed: bin/setup --test"
    return found


class Proxy:
    """A proxy before a server. Only the parts of the file that are marked as the reader's own are replaced."""

    def __init__(self, kind, port, upstream):
        self.kind = kind
        self.home = pathlib.Path(tempfile.mkdtemp(prefix=f"perennial-{kind}-"))
        # A worker of nginx may run as another account, which has to reach its directories.
        self.home.chmod(0o711)
        self.port, self.plain_port = port, ports.take()
        self.url = f"https://{HOST}:{port}"
        self._certify()
        self.file = self.home / "proxy.conf"
        self.file.write_text(getattr(self, f"_{kind}")(upstream))
        command = {
            "nginx": ["nginx", "-p", self.home, "-c", self.file, "-e", self.home / "error.log", "-g", "daemon off;"],
            "haproxy": ["haproxy", "-db", "-f", self.file],
        }[kind]
        self._log = open(self.home / "log", "wb")
        self.process = subprocess.Popen(
            [_program(command[0]), *command[1:]], stdin=subprocess.DEVNULL, stdout=self._log, stderr=self._log)
        until(self._answers, f"{kind}: {(self.home / 'log').read_text()}", 20)

    def stop(self):
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(10)
        self.process.kill()
        self._log.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def _answers(self):
        assert self.process.poll() is None, (self.home / "log").read_text()
        with contextlib.suppress(OSError), self.connect() as connection:
            connection.request("GET", "/readyz", headers={"Host": HOST})
            return connection.getresponse().status == 200

    def _certify(self):
        subprocess.run(
            [_program("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
             "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}", "-keyout", self.home / "key.pem",
             "-out", self.home / "chain.pem"], check=True, capture_output=True)
        (self.home / "both.pem").write_text(
            (self.home / "chain.pem").read_text() + (self.home / "key.pem").read_text())

    def _nginx(self, upstream):
        return _replaced((FILES / "nginx.conf").read_text(), {
            "server 127.0.0.1:8080;": f"server 127.0.0.1:{upstream};",
            "/etc/ssl/office.example.com/": f"{self.home}/",
            "listen 443 ": f"listen 127.0.0.1:{self.port} ",
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            # Places where a program that the system did not start may write.
            "user www-data;": "",
            "/run/nginx.pid": f"{self.home}/pid",
            "/var/log/nginx/": f"{self.home}/",
            "server_tokens off;": "server_tokens off;" + "".join(
                f" {name}_temp_path {self.home}/{name};" for name in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]),
        })

    def _haproxy(self, upstream):
        return _replaced((FILES / "haproxy.cfg").read_text(), {
            "server perennial 127.0.0.1:8080 ": f"server perennial 127.0.0.1:{upstream} ",
            "/etc/ssl/office.example.com/": f"{self.home}/",
            "bind :443 ": f"bind 127.0.0.1:{self.port} ",
            "bind :80": f"bind 127.0.0.1:{self.plain_port}",
            "    user haproxy\n    group haproxy\n": "",
            "log /dev/log local0": "log stdout format raw local0",
        })

    # Clients

    def connect(self, source="127.0.0.1", server_name=HOST):
        """Opens a connection over TLS; `source` is the address of this machine that it comes from."""
        context = ssl.create_default_context(cafile=self.home / "chain.pem")
        if server_name != HOST:
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=300, source_address=(source, 0))
        connection = http.client.HTTPSConnection(HOST, self.port, timeout=300, context=context)
        try:
            connection.sock = context.wrap_socket(plain, server_hostname=server_name)
        except BaseException:
            plain.close()
            raise
        return contextlib.closing(connection)


def _replaced(text, own):
    for there, here in own.items():
        assert there in text, there
        text = text.replace(there, here)
    return text


class Person:
    """A browser at one address, which goes over TLS through a proxy."""

    def __init__(self, proxy, source):
        self.proxy, self.source = proxy, source
        self.cookies = {}

    def send(self, method, path, body=None, headers=None, pace=None):
        """Sends a request; returns its status, headers and body. `pace` splits a body into pieces that are sent one by one."""
        sent = {"Host": f"{HOST}:{self.proxy.port}", "Origin": self.proxy.url} | (headers or {})
        if self.cookies:
            sent["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        with self.proxy.connect(self.source) as connection:
            connection.request(method, path, body if pace is None else pace(body), sent)
            answer = connection.getresponse()
            for cookie in answer.headers.get_all("Set-Cookie") or []:
                name, value = cookie.split(";")[0].split("=", 1)
                assert "Secure" in cookie and name.startswith("__Host-"), cookie
                if "Max-Age=0" in cookie:
                    self.cookies.pop(name, None)
                else:
                    self.cookies[name] = value
            return answer.status, answer.headers, answer.read()

    def token(self, page):
        status, _, body = self.send("GET", page)
        assert status == 200, status
        return re.search(r'name="csrf" value="([^"]+)"', body.decode()).group(1)

    def sign_in(self, email, password, headers=None, **options):
        fields = {"csrf": self.token("/dashboard/sign-in"), "email": email, "password": password}
        body = urllib.parse.urlencode(fields).encode()
        return self.send(
            "POST", "/dashboard/sign-in", body,
            {"Content-Type": "application/x-www-form-urlencoded", "Content-Length": str(len(body))} | (headers or {}),
            **options)
