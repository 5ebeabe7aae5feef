#!/usr/bin/env python3
"""Judges our signatures for Alipay, and the simulated Alipay's, with python-alipay-sdk.

usage: alipay_sign_in.py DIRECTORY

DIRECTORY holds requests.jsonl, one {parameters, sign} a line, signed with app_private.pem, whose public half is app_public.pem;
alipay_public.pem; and alipay.json: url, appId, code, openId, nickname, avatar, tamperedCode, and usedCode. The first
answer about a token is changed after it was signed.
Exit code: 0 all as the library has it, 1 something is not. The last line is `N passed, N failed`.
"""

import json
import os
import pathlib
import sys
import time
import urllib.parse

from alipay import AliPay
from alipay.exceptions import AliPayException, AliPayValidationError

passed = failed = 0


def expect(name, seen, wanted):
    global passed, failed
    if seen == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen!r} instead of {wanted!r}")


def judge_request(entry, signer, reader):
    """Signs the same parameters with the same key by the library: the signature must be the same, and valid."""
    name, parameters = entry["parameters"]["method"], dict(entry["parameters"])
    signed = dict(urllib.parse.parse_qsl(signer.sign_data(dict(parameters))))
    expect(f"{name} signature", entry["sign"], signed["sign"])
    text = "&".join(f"{key}={value}" for key, value in sorted(parameters.items()))
    expect(f"{name} holds", reader._verify(text, entry["sign"]), True)
    expect(f"{name} changed", reader._verify(text + "x", entry["sign"]), False)


def refusal(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except AliPayException as error:
        # The library keeps the code in a private field.
        return error._AliPayException__code
    except AliPayValidationError:
        return "not signed by Alipay"
    return None


def main():
    # The library writes the machine's local time, and Alipay reads it as Shanghai's.
    os.environ["TZ"] = "Asia/Shanghai"
    time.tzset()
    folder = pathlib.Path(sys.argv[1])

    def read(name):
        return (folder / name).read_text(encoding="utf-8")

    known = json.loads(read("alipay.json"))

    def client(public="alipay_public.pem", app_id=known["appId"]):
        made = AliPay(appid=app_id, app_private_key_string=read("app_private.pem"),
                      alipay_public_key_string=read(public), sign_type="RSA2")
        made._gateway = known["url"] + "/gateway.do"
        return made

    alipay = client()
    for line in read("requests.jsonl").splitlines():
        judge_request(json.loads(line), alipay, client("app_public.pem"))

    def token(code, by=alipay):
        return by.server_api("alipay.system.oauth.token", grant_type="authorization_code", code=code)

    expect("tampered", refusal(token, known["tamperedCode"]), "not signed by Alipay")
    expect("unknown code", refusal(token, "nobodys"), "40002")
    expect("used code", refusal(token, known["usedCode"]), "40002")
    expect("other app", refusal(token, known["code"], client(app_id="2021000000000009")), "40002")
    given = token(known["code"])
    expect("open_id", given["open_id"], known["openId"])
    person = alipay.server_api("alipay.user.info.share", auth_token=given["access_token"])
    for name, wanted in (("open_id", known["openId"]), ("nick_name", known["nickname"]), ("avatar", known["avatar"])):
        expect(name, person[name], wanted)
    again = alipay.server_api("alipay.system.oauth.token", grant_type="refresh_token", refresh_token=given["refresh_token"])
    expect("refreshed", again["open_id"], known["openId"])
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
