#!/usr/bin/env python3
"""Judges tokens of Sign in with Apple with PyJWT: those signed as Apple, and those signed for Apple.

usage: apple_id_accepts.py DIRECTORY

DIRECTORY holds keys.json, a JWK set; tokens.jsonl, one {token, clientId} a line, signed with those keys; key.pem, the public
key of client secrets; secrets.jsonl, one {secret, clientId, teamId, keyId} a line.
Exit code: 0 all are accepted, 1 some are not, 2 nothing to judge. The last line is `N passed, N failed`.
"""

import json
import pathlib
import sys

import jwt

APPLE = "https://appleid.apple.com"
LONGEST = 15777000


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def judge_token(entry, keys):
    key = next(key for key in keys if key.key_id == jwt.get_unverified_header(entry["token"])["kid"])
    jwt.decode(entry["token"], key, algorithms=["RS256"], audience=entry["clientId"], issuer=APPLE,
               options={"require": ["iss", "aud", "iat"]})


def judge_secret(entry, key):
    header = jwt.get_unverified_header(entry["secret"])
    if header["kid"] != entry["keyId"]:
        raise jwt.InvalidKeyError(f"the key is {header['kid']}")
    claims = jwt.decode(entry["secret"], key, algorithms=["ES256"], audience=APPLE, issuer=entry["teamId"],
                        options={"require": ["iss", "iat", "exp", "aud", "sub"]})
    if claims["sub"] != entry["clientId"]:
        raise jwt.InvalidSubjectError(f"the subject is {claims['sub']}")
    if not 0 < claims["exp"] - claims["iat"] <= LONGEST:
        raise jwt.InvalidTokenError("its life is too long")


def main():
    folder = pathlib.Path(sys.argv[1])
    keys = jwt.PyJWKSet.from_dict(json.loads((folder / "keys.json").read_text(encoding="utf-8"))).keys
    client_key = (folder / "key.pem").read_text(encoding="utf-8")
    work = [(judge_token, entry, keys) for entry in lines(folder / "tokens.jsonl")]
    work += [(judge_secret, entry, client_key) for entry in lines(folder / "secrets.jsonl")]
    failed = 0
    for judge, entry, key in work:
        try:
            judge(entry, key)
        except (jwt.PyJWTError, StopIteration) as error:
            failed += 1
            print(f"{judge.__name__} {entry['clientId']}: {error!r}")
    print(f"{len(work) - failed} passed, {failed} failed")
    return 2 if not work else 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
