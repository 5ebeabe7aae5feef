"""Access tokens as others read them: PyJWT knows nothing of the server but its published keys."""

import json
import urllib.error
import urllib.request

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec


@pytest.fixture(scope="module")
def mine(server):
    return server.run("token", "--app", "readmigo", "--customer", "user-4711", "--minutes", "5").split()[-1]


def ask(server, path, token, method="GET"):
    request = urllib.request.Request(server.url + path, method=method, headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
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
