#!/usr/bin/env python3
"""Runs python-alipay-sdk against the simulated Alipay, in key mode and in certificate mode, and judges what it and we sign.

usage: alipay_pay.py DIRECTORY

DIRECTORY holds app_private.pem, app_public.pem, alipay_public.pem; app_cert.pem, alipay_cert.pem and root_cert.pem; and pay.json: the
addresses `key` and `certificate` of the two simulated Alipays, appId, sellerId; `carried`, what our client signs for browsers and
apps; `notice`, a notification as the simulated Alipay sends it, and `ours`, the names that our client has for the certificates.
Exit code: 0 all as the library has it, 1 something is not. The last line is `N passed, N failed`.
"""

import json
import os
import pathlib
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from alipay import AliPay, DCAliPay
from alipay.exceptions import AliPayException, AliPayValidationError

passed = failed = 0


def expect(name, seen, wanted):
    global passed, failed
    if seen == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen!r} instead of {wanted!r}")


def drive(base, name, **body):
    request = urllib.request.Request(f"{base}/simulator/alipay/{name}", json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


def shop(mode, client, base):
    """One shop's day: each call that the library has for payments."""

    def code(name, call, wanted="10000", sub=None):
        answer = call()
        expect(f"{mode} {name}", (answer["code"], answer.get("sub_code")), (wanted, sub))
        return answer

    order = {"out_trade_no": "QR_1", "total_amount": "6.00", "subject": "专业版 100% a+b"}
    known = code("precreate", lambda: client.api_alipay_trade_precreate(**order))
    expect(f"{mode} qr", known["qr_code"].startswith("https://qr.alipay.com/"), True)
    code("not scanned", lambda: client.api_alipay_trade_query(out_trade_no="QR_1"), "40004", "ACQ.TRADE_NOT_EXIST")
    code("close unseen", lambda: client.api_alipay_trade_close(out_trade_no="QR_1"), "40004", "ACQ.TRADE_NOT_EXIST")
    drive(base, "scan", order=known["qr_code"])
    seen = code("scanned", lambda: client.api_alipay_trade_query(out_trade_no="QR_1"))
    expect(f"{mode} waiting", seen["trade_status"], "WAIT_BUYER_PAY")
    drive(base, "pay", order="QR_1")
    paid = code("paid", lambda: client.api_alipay_trade_query(out_trade_no="QR_1"))
    expect(f"{mode} success", (paid["trade_status"], paid["total_amount"], paid["buyer_pay_amount"]),
           ("TRADE_SUCCESS", "6.00", "6.00"))
    expect(f"{mode} by its number", client.api_alipay_trade_query(trade_no=paid["trade_no"])["out_trade_no"], "QR_1")
    code("close paid", lambda: client.api_alipay_trade_close(out_trade_no="QR_1"), "40004", "ACQ.TRADE_STATUS_ERROR")

    def refund(amount, **more):
        return client.api_alipay_trade_refund(refund_amount=amount, out_trade_no="QR_1", **more)

    first = code("refund", lambda: refund("1.00", out_request_no="R1"))
    expect(f"{mode} fund_change", (first["fund_change"], first["refund_fee"]), ("Y", "1.00"))
    again = code("refund again", lambda: refund("1.00", out_request_no="R1"))
    expect(f"{mode} fund_change again", (again["fund_change"], again["refund_fee"]), ("N", "1.00"))
    code("discordant", lambda: refund("2.00", out_request_no="R1"), "40004", "ACQ.DISCORDANT_REPEAT_REQUEST")
    code("partial without number", lambda: refund("2.00"), "40004", "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL")
    code("too much", lambda: refund("6.00", out_request_no="R2"), "40004", "ACQ.REASON_TRADE_REFUND_FEE_ERR")
    found = code("refund query", lambda: client.api_alipay_trade_fastpay_refund_query("R1", out_trade_no="QR_1"))
    expect(f"{mode} refund status", (found["refund_status"], found["refund_amount"]), ("REFUND_SUCCESS", "1.00"))
    unknown = code("refund unknown", lambda: client.api_alipay_trade_fastpay_refund_query("R9", out_trade_no="QR_1"))
    expect(f"{mode} no refund status", "refund_status" in unknown, False)
    code("rest", lambda: refund("5.00", out_request_no="R3"))
    expect(f"{mode} closed by refund", client.api_alipay_trade_query(out_trade_no="QR_1")["trade_status"], "TRADE_CLOSED")

    created = {"out_trade_no": "CREATE_1", "total_amount": "1.00", "subject": "x"}
    code("create", lambda: client.api_alipay_trade_create(**created))
    code("close", lambda: client.api_alipay_trade_close(out_trade_no="CREATE_1"))
    code("create closed", lambda: client.api_alipay_trade_create(**created), "40004", "ACQ.TRADE_HAS_CLOSE")
    code("create again", lambda: client.api_alipay_trade_create(**{**created, "out_trade_no": "CREATE_2"}))
    expect(f"{mode} cancel", code("cancel", lambda: client.api_alipay_trade_cancel(out_trade_no="CREATE_2"))["retry_flag"], "N")

    named = {"subject": "Pro", "total_amount": "6.00", "notify_url": "https://shop.example.com/n"}
    strings = {
        "PAGE_1": client.api_alipay_trade_page_pay(out_trade_no="PAGE_1", return_url="https://shop.example.com/b", **named),
        "WAP_1": client.api_alipay_trade_wap_pay(out_trade_no="WAP_1", **named),
        "APP_1": client.api_alipay_trade_app_pay(out_trade_no="APP_1", **named),
    }
    for number, text in strings.items():
        with urllib.request.urlopen(f"{base}/gateway.do?{text}", timeout=300) as answer:
            expect(f"{mode} {number}", number in answer.read().decode(), True)
        back = drive(base, "pay", order=number)["returnQuery"]
        expect(f"{mode} {number} paid", client.api_alipay_trade_query(out_trade_no=number)["trade_status"], "TRADE_SUCCESS")
        fields = dict(urllib.parse.parse_qsl(back))
        sign = fields.pop("sign")
        expect(f"{mode} {number} return page", client.verify(dict(fields), sign), True)
        expect(f"{mode} {number} return page changed", client.verify({**fields, "out_trade_no": "X"}, sign), False)


def judge_carried(reader, carried):
    """What our client signs for browsers and apps, verified with the app's own public key."""
    for name, text in carried.items():
        fields = dict(urllib.parse.parse_qsl(text))
        sign = fields.pop("sign")
        raw = "&".join(f"{key}={value}" for key, value in sorted(fields.items()))
        expect(f"{name} signature", reader._verify(raw, sign), True)
        expect(f"{name} changed", reader._verify(raw + "x", sign), False)


def main():
    # The library writes the machine's local time, and Alipay reads it as Shanghai's.
    os.environ["TZ"] = "Asia/Shanghai"
    time.tzset()
    folder = pathlib.Path(sys.argv[1])

    def read(name):
        return (folder / name).read_text(encoding="utf-8")

    known = json.loads(read("pay.json"))

    def plain(public="alipay_public.pem"):
        return AliPay(appid=known["appId"], app_private_key_string=read("app_private.pem"),
                      alipay_public_key_string=read(public), sign_type="RSA2")

    certified = DCAliPay(appid=known["appId"], app_private_key_string=read("app_private.pem"),
                         app_public_key_cert_string=read("app_cert.pem"),
                         alipay_public_key_cert_string=read("alipay_cert.pem"),
                         alipay_root_cert_string=read("root_cert.pem"))
    expect("app_cert_sn", certified.app_cert_sn, known["ours"]["app"])
    expect("alipay_root_cert_sn", certified.alipay_root_cert_sn, known["ours"]["roots"])
    expect("alipay_cert_sn", certified.get_cert_sn(read("alipay_cert.pem")), known["ours"]["alipay"])
    key = plain()
    key._gateway = known["key"] + "/gateway.do"
    certified._gateway = known["certificate"] + "/gateway.do"
    shop("key", key, known["key"])
    shop("certificate", certified, known["certificate"])

    wrong = plain()
    wrong._gateway = known["certificate"] + "/gateway.do"
    try:
        wrong.api_alipay_trade_query(out_trade_no="QR_1")
        expect("key mode where certificates are due", "accepted", "refused")
    except (AliPayException, AliPayValidationError):
        expect("key mode where certificates are due", "refused", "refused")

    judge_carried(plain("app_public.pem"), known["carried"])
    fields = dict(urllib.parse.parse_qsl(known["notice"]))
    sign = fields.pop("sign")
    expect("notification", key.verify(dict(fields), sign), True)
    for name in ("total_amount", "out_trade_no", "trade_status", "seller_id", "subject"):
        expect(f"notification with another {name}", key.verify({**fields, name: fields[name] + "0"}, sign), False)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
