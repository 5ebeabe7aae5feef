"""Apple, WeChat and Alipay for sign-in and receipts: each answers what a test has prepared."""

import base64
import http.server
import json
import threading
import time
import urllib.parse
import uuid

import jwt
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

WECHAT_APP = "wxd930ea5d5a258f4f"
ALIPAY_APP = "2021000000000001"


class Providers:
    """A server for all providers at one address; it ends with the process."""

    def __init__(self):
        self.receipts, self.codes = {}, {}
        self.silent = False
        # Answers for the App Store Server API, by the path.
        self.answers = None
        self._apple = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._alipay = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._alipay_app = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                self._reply()

            def do_POST(self):
                self._reply()

            def _reply(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                status, answer = outer.answer(urllib.parse.urlsplit(self.path), body)
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}"

    def files(self):
        """Returns the secrets that the catalogue names, by file."""
        apple = ec.generate_private_key(ec.SECP256R1())
        return {
            "AuthKey_SIGNIN0001.p8": _private(apple), "wechat-secret.txt": "d4624c36b6795d1d99dcf0547af5443d",
            "alipay-app.txt": _private(self._alipay_app),
            "alipay-public.txt": self._alipay.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode(),
            "shared-secret.txt": "f5d2c4b1a0e94c7e8d6b3a2f1e0d9c8b",
        }

    def code(self, **person):
        """Returns a code as a device gets it from WeChat or Alipay, good once."""
        code = uuid.uuid4().hex
        self.codes[code] = person
        return code

    def identity_token(self, audience, subject, **more):
        now = int(time.time())
        claims = {"iss": "https://appleid.apple.com", "aud": audience, "sub": subject, "iat": now, "exp": now + 600} | more
        return jwt.encode(claims, self._apple, algorithm="RS256", headers={"kid": "APPLEKEY01"})

    def answer(self, address, body):
        if self.silent:
            return 503, b"{}"
        path, query = address.path.removeprefix("/sandbox"), dict(urllib.parse.parse_qsl(address.query))
        match path:
            case "/auth/keys":
                key = json.loads(jwt.get_algorithm_by_name("RS256").to_jwk(self._apple.public_key()))
                return 200, _json({"keys": [key | {"kid": "APPLEKEY01", "use": "sig", "alg": "RS256"}]})
            case "/sns/oauth2/access_token":
                person = self.codes.pop(query.get("code"), None)
                if person is None:
                    return 200, _json({"errcode": 40029, "errmsg": "invalid code"})
                token = uuid.uuid4().hex
                self.codes[token] = person
                return 200, _json({
                    "access_token": token, "expires_in": 7200, "refresh_token": uuid.uuid4().hex,
                    "openid": person["id"], "scope": "snsapi_userinfo"})
            case "/sns/userinfo":
                person = self.codes.get(query.get("access_token"), {})
                return 200, _json({
                    "openid": person.get("id"), "nickname": person.get("name"), "headimgurl": person.get("picture", ""),
                    "sex": 0, "province": "", "city": "", "country": "", "privilege": []})
            case "/gateway.do":
                return 200, self._from_alipay(query | dict(urllib.parse.parse_qsl(body)))
            case "/verifyReceipt":
                return 200, _json(self.receipts.get(json.loads(body)["receipt-data"], {"status": 21003}))
        if path.startswith("/inApps/") and self.answers:
            status, content = self.answers(path)
            return status, _json(content)
        return 404, b"{}"

    def _from_alipay(self, asked):
        name = asked["method"].replace(".", "_") + "_response"
        if asked["method"] == "alipay.system.oauth.token":
            person = self.codes.pop(asked.get("code"), None)
            if person is None:
                refused = {"code": "40002", "msg": "Invalid Arguments", "sub_code": "isv.code-invalid"}
                return _json({"error_response": refused})
            token = uuid.uuid4().hex
            self.codes[token] = person
            content = {"access_token": token, "expires_in": 1296000, "refresh_token": uuid.uuid4().hex,
                       "re_expires_in": 2592000, "open_id": person["id"]}
        else:
            person = self.codes[asked["auth_token"]]
            content = {"code": "10000", "msg": "Success", "open_id": person["id"], "nick_name": person["name"],
                       "avatar": person.get("picture", "")}
        signed = json.dumps(content, ensure_ascii=False)
        signature = self._alipay.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256())
        return f'{{"{name}":{signed},"sign":"{base64.b64encode(signature).decode()}"}}'.encode()


def _private(key):
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def _json(content):
    return json.dumps(content, ensure_ascii=False).encode()
