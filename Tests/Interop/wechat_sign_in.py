#!/usr/bin/env python3
"""Judges the simulated WeChat sign-in: wechatpy's OAuth client must get through every call, and see every refusal.

usage: wechat_sign_in.py DIRECTORY

DIRECTORY holds wechat.json: url, appId, appSecret, code, and openid, unionid, nickname and headimgurl of the person who
consented.
Exit code: 0 all as wechatpy expects it, 1 something is not. The last line is `N passed, N failed`.
"""

import json
import pathlib
import sys

from wechatpy.exceptions import WeChatOAuthException
from wechatpy.oauth import WeChatOAuth

passed = failed = 0


def expect(name, seen, wanted):
    global passed, failed
    if seen == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen!r} instead of {wanted!r}")


def refusal(call, *arguments, **named):
    try:
        call(*arguments, **named)
    except WeChatOAuthException as error:
        return error.errcode
    return None


def main():
    known = json.loads((pathlib.Path(sys.argv[1]) / "wechat.json").read_text(encoding="utf-8"))
    WeChatOAuth.API_BASE_URL = known["url"] + "/"

    def client(app_id=known["appId"], secret=known["appSecret"]):
        return WeChatOAuth(app_id, secret, "https://example.com/back", scope="snsapi_userinfo")

    wechat = client()
    expect("unknown code", refusal(wechat.fetch_access_token, "nobodys"), 40029)
    expect("no code", refusal(wechat.fetch_access_token, ""), 41008)
    expect("other app", refusal(client(app_id="wx0000000000000000").fetch_access_token, known["code"]), 40013)
    expect("other secret", refusal(client(secret="0" * 32).fetch_access_token, known["code"]), 40125)
    token = wechat.fetch_access_token(known["code"])
    expect("openid", token["openid"], known["openid"])
    expect("unionid", token["unionid"], known["unionid"])
    expect("scope", token["scope"], "snsapi_userinfo")
    expect("expires_in", token["expires_in"], 7200)
    expect("used code", refusal(wechat.fetch_access_token, known["code"]), 40163)
    expect("token holds", wechat.check_access_token(), True)
    person = wechat.get_user_info()
    for name in ("openid", "unionid", "nickname", "headimgurl"):
        expect(name, person[name], known[name])
    expect("somebody else", refusal(wechat.get_user_info, openid="other"), 40003)
    expect("no token", refusal(wechat.get_user_info, access_token="none"), 40001)
    again = wechat.refresh_access_token(token["refresh_token"])
    expect("refreshed", again["openid"], known["openid"])
    expect("refreshed token holds", wechat.check_access_token(), True)
    expect("no refresh token", refusal(wechat.refresh_access_token, "none"), 40030)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
