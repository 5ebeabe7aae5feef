"""Access tokens as others read them: PyJWT knows only the server's published keys."""

import base64
import hmac
import http.server
import json
import threading
import time
import urllib.error
import urllib.request

import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa


@pytest.fixture(scope="module")
def mine(server):
    return server.run("token", "--app", "readmigo", "--customer", "user-4711", "--minutes", "5").split()[-1]


def ask(server, path, token, method="GET"):
    request = urllib.request.Request(server.url + path, method=method, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=300) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_whoever_has_the_published_keys_can_check_a_token(server, mine):
    key = jwt.PyJWKClient(f"{server.url}/.well-known/jwks.json").get_signing_key_from_jwt(mine)
    claims = jwt.decode(mine, key, algorithms=["ES256"], audience="readmigo", issuer="perennial")
    status, subscription = ask(server, "/subscriptions/status", mine)
    assert status == 200
    assert claims["sub"] == subscription["userId"]
    assert subscription["externalId"] == "user-4711"
    assert claims["exp"] - claims["iat"] == 300


def test_what_somebody_else_signed_with_a_published_keys_id_opens_nothing(server, mine):
    claims = jwt.decode(mine, options={"verify_signature": False})
    kid = jwt.get_unverified_header(mine)["kid"]
    stranger = ec.generate_private_key(ec.SECP256R1())
    for forged in (
        jwt.encode(claims, stranger, algorithm="ES256", headers={"kid": kid}),
        jwt.encode(claims, stranger, algorithm="ES256"),
        jwt.encode(claims, None, algorithm="none", headers={"kid": kid}),
        jwt.encode(claims, "secret" * 8, algorithm="HS256", headers={"kid": kid}),
    ):
        status, problem = ask(server, "/subscriptions/status", forged)
        assert (status, problem["type"]) == (401, "/problems/unauthenticated")


def test_a_token_that_was_signed_out_is_over_at_once(server):
    token = server.run("token", "--app", "readmigo", "--customer", "user-4712").split()[-1]
    assert ask(server, "/subscriptions/status", token)[0] == 200
    assert ask(server, "/api/v1/auth/logout", token, "POST")[0] == 204
    assert ask(server, "/subscriptions/status", token)[0] == 401


ISSUER = "https://login.example.com"
CATALOG = """
app: {app}
name: {app}
timeZone: UTC
reportingCurrency: USD
plans:
  - {{ code: FREE, name: Free, rank: 0 }}
products: []
tokens: {{ issuer: "{issuer}", audience: {app}, {keys} }}
"""


class Issuer:
    """An app's own issuer, which serves its public keys like any other."""

    def __init__(self):
        self.keys = {
            "ES256": ec.generate_private_key(ec.SECP256R1()),
            "RS256": rsa.generate_private_key(public_exponent=65537, key_size=2048),
            "EdDSA": ed25519.Ed25519PrivateKey.generate(),
        }
        body = json.dumps({"keys": [
            json.loads(jwt.get_algorithm_by_name(name).to_jwk(key.public_key())) | {"kid": name, "use": "sig"}
            for name, key in self.keys.items()
        ]}).encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/keys"

    def token(self, algorithm, key=None, kid=None, **claims):
        now = int(time.time())
        payload = {"iss": ISSUER, "aud": "issued", "sub": "their-4711", "iat": now, "exp": now + 600} | claims
        return jwt.encode(payload, key or self.keys[algorithm], algorithm=algorithm, headers={"kid": kid or algorithm})


def with_secret(secret, token):
    """Returns the token signed with a key that everybody knows, which PyJWT itself would refuse."""
    def encoded(raw):
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    signed = encoded(b'{"alg":"HS256","kid":"ES256","typ":"JWT"}') + "." + token.split(".")[1]
    return signed + "." + encoded(hmac.digest(secret, signed.encode(), "sha256"))


@pytest.fixture(scope="module")
def issuer(server):
    own = Issuer()
    catalog = server.home / "issued.yaml"
    catalog.write_text(CATALOG.format(app="issued", issuer=ISSUER, keys=f'jwks: "{own.url}"'))
    server.run("catalog", "apply", str(catalog))
    # A server looks up an unknown app once a second.
    end = time.monotonic() + 240
    while ask(server, "/subscriptions/status", own.token("ES256", sub="their-first"))[0] != 200:
        assert time.monotonic() < end, "the server never heard of the issuer"
        time.sleep(0.1)
    yield own
    own.server.shutdown()


@pytest.mark.parametrize("algorithm", ["ES256", "RS256", "EdDSA"])
def test_tokens_of_an_apps_own_issuer_are_taken(server, issuer, algorithm):
    status, subscription = ask(server, "/subscriptions/status", issuer.token(algorithm))
    assert (status, subscription["externalId"]) == (200, "their-4711")
    status, again = ask(server, "/subscriptions/status", issuer.token(algorithm, jti="another"))
    assert (status, again["userId"]) == (200, subscription["userId"])


def test_what_the_issuer_did_not_sign_or_mean_opens_nothing(server, issuer):
    public = issuer.keys["ES256"].public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
    now = int(time.time())
    for forged in (
        issuer.token("ES256", key=ec.generate_private_key(ec.SECP256R1())),
        issuer.token("ES256", kid="RS256"),
        with_secret(public, issuer.token("ES256")),
        issuer.token("ES256", aud="readmigo"),
        issuer.token("ES256", iss="https://other.example"),
        issuer.token("ES256", iat=now - 7200, exp=now - 3600),
        issuer.token("ES256", exp=now + 10**7),
        issuer.token("ES256", nbf=now + 3600),
        issuer.token("ES256", sub=""),
        jwt.encode({"iss": ISSUER, "aud": "issued", "sub": "x", "iat": now, "exp": now + 60}, None, algorithm="none"),
    ):
        assert ask(server, "/subscriptions/status", forged)[0] == 401


def test_ending_their_session_ends_what_was_issued_until_then(server, issuer):
    token = issuer.token("ES256", sub="their-4712")
    assert ask(server, "/subscriptions/status", token)[0] == 200
    assert ask(server, "/api/v1/auth/logout", token, "POST")[0] == 204
    assert ask(server, "/subscriptions/status", token)[0] == 401
    assert ask(server, "/subscriptions/status", issuer.token("ES256", sub="their-4712", iat=int(time.time()) - 60))[0] == 401
    assert ask(server, "/subscriptions/status", issuer.token("ES256", sub="their-4712", iat=int(time.time()) + 2))[0] == 200
