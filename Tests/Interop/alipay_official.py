#!/usr/bin/env python3
"""Runs Alipay's own alipay-sdk-python against the simulated Alipay in key mode, and judges what it and we sign.

usage: alipay_official.py DIRECTORY

DIRECTORY holds what alipay_pay.py reads; of pay.json also `code`, of somebody who signs in. This package and python-alipay-sdk install
a module of the same name, so each has an environment of its own.
Exit code: 0 all as the library has it, 1 something is not. The last line is `N passed, N failed`.
"""

import http.client
import json
import os
import pathlib
import re
import sys
import time
import urllib.parse
import urllib.request

import alipay.aop.api.DefaultAlipayClient as client_module
import alipay.aop.api.util.WebUtils as web
from alipay.aop.api.AlipayClientConfig import AlipayClientConfig
from alipay.aop.api.DefaultAlipayClient import DefaultAlipayClient
from alipay.aop.api.exception.Exception import ResponseException
from alipay.aop.api.request.AlipayDataDataserviceBillDownloadurlQueryRequest import (
    AlipayDataDataserviceBillDownloadurlQueryRequest,
)
from alipay.aop.api.request.AlipaySystemOauthTokenRequest import AlipaySystemOauthTokenRequest
from alipay.aop.api.request.AlipayTradeAppPayRequest import AlipayTradeAppPayRequest
from alipay.aop.api.request.AlipayTradeCancelRequest import AlipayTradeCancelRequest
from alipay.aop.api.request.AlipayTradeCloseRequest import AlipayTradeCloseRequest
from alipay.aop.api.request.AlipayTradeFastpayRefundQueryRequest import AlipayTradeFastpayRefundQueryRequest
from alipay.aop.api.request.AlipayTradePagePayRequest import AlipayTradePagePayRequest
from alipay.aop.api.request.AlipayTradePrecreateRequest import AlipayTradePrecreateRequest
from alipay.aop.api.request.AlipayTradeQueryRequest import AlipayTradeQueryRequest
from alipay.aop.api.request.AlipayTradeRefundRequest import AlipayTradeRefundRequest
from alipay.aop.api.request.AlipayTradeWapPayRequest import AlipayTradeWapPayRequest
from alipay.aop.api.request.AlipayUserInfoShareRequest import AlipayUserInfoShareRequest
from alipay.aop.api.util.SignatureUtils import verify_with_rsa

passed = failed = 0


def expect(name, seen, wanted):
    global passed, failed
    if seen == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen!r} instead of {wanted!r}")


def connection(url, query_string, timeout):
    """The library's own cannot read an address with a port."""
    parts = urllib.parse.urlparse(url)
    return f"{parts.path}?{query_string}", http.client.HTTPConnection(parts.hostname, parts.port, timeout=timeout)


def drive(base, name, **body):
    request = urllib.request.Request(f"{base}/simulator/alipay/{name}", json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)


def verified(key, text, sign):
    try:
        return verify_with_rsa(key, text.encode(), sign)
    except Exception:
        return False


def main():
    os.environ["TZ"] = "Asia/Shanghai"
    time.tzset()
    web.get_http_connection = connection
    folder = pathlib.Path(sys.argv[1])

    def read(name):
        return (folder / name).read_text(encoding="utf-8")

    known = json.loads(read("pay.json"))
    base = known["key"]

    def made(public="alipay_public.pem", app_id=known["appId"]):
        config = AlipayClientConfig()
        config.server_url = base + "/gateway.do"
        config.app_id = app_id
        config.app_private_key = read("app_private.pem")
        config.alipay_public_key = read(public)
        return DefaultAlipayClient(config)

    client = made()

    def run(kind, content=None, by=client, **parameters):
        request = kind()
        if content is not None:
            request.biz_content = content
        for name, value in parameters.items():
            setattr(request, name, value)
        return json.loads(by.execute(request))

    def code(name, answer, wanted="10000", sub=None):
        expect(name, (answer.get("code"), answer.get("sub_code")), (wanted, sub))
        return answer

    order = {"out_trade_no": "OWN_1", "total_amount": "6.00", "subject": "专业版 100% a+b&c=d"}
    qr = code("precreate", run(AlipayTradePrecreateRequest, order, notify_url="https://shop.example.com/n"))["qr_code"]
    own = {"out_trade_no": "OWN_1"}
    code("not scanned", run(AlipayTradeQueryRequest, own), "40004", "ACQ.TRADE_NOT_EXIST")
    drive(base, "pay", order=qr)
    expect("paid", code("query", run(AlipayTradeQueryRequest, own))["trade_status"], "TRADE_SUCCESS")
    first = run(AlipayTradeRefundRequest, {**own, "refund_amount": "1.00", "out_request_no": "R1"})
    expect("refund", code("refund code", first)["fund_change"], "Y")
    found = run(AlipayTradeFastpayRefundQueryRequest, {**own, "out_request_no": "R1", "query_options": ["gmt_refund_pay"]})
    expect("refund query", (found["refund_status"], "gmt_refund_pay" in found), ("REFUND_SUCCESS", True))
    code("close paid", run(AlipayTradeCloseRequest, own), "40004", "ACQ.TRADE_STATUS_ERROR")
    code("precreate 2", run(AlipayTradePrecreateRequest, {**order, "out_trade_no": "OWN_2"}))
    drive(base, "scan", order="OWN_2")
    code("close", run(AlipayTradeCloseRequest, {"out_trade_no": "OWN_2"}))
    code("precreate 3", run(AlipayTradePrecreateRequest, {**order, "out_trade_no": "OWN_3"}))
    drive(base, "scan", order="OWN_3")
    code("cancel", run(AlipayTradeCancelRequest, {"out_trade_no": "OWN_3"}))
    bill = run(AlipayDataDataserviceBillDownloadurlQueryRequest, {"bill_type": "trade", "bill_date": "2020-01-01"})
    code("bill", bill, "40004", "isp.bill_not_exist")

    for kind, number, method in (
        (AlipayTradePagePayRequest, "OWN_PAGE", "GET"), (AlipayTradePagePayRequest, "OWN_FORM", "POST"),
        (AlipayTradeWapPayRequest, "OWN_WAP", "GET"),
    ):
        request = kind()
        request.biz_content = {**order, "out_trade_no": number}
        request.notify_url = "https://shop.example.com/n"
        carried = client.page_execute(request, http_method=method)
        if method == "GET":
            url, body = carried, None
        else:
            url = re.search(r'action="([^"]*)"', carried).group(1)
            fields = {name: value.replace("&quot;", '"') for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', carried)}
            body = urllib.parse.urlencode(fields).encode()
        with urllib.request.urlopen(urllib.request.Request(url, body), timeout=300) as answer:
            expect(number, number in answer.read().decode(), True)
        drive(base, "pay", order=number)
        expect(f"{number} paid", run(AlipayTradeQueryRequest, {"out_trade_no": number})["trade_status"], "TRADE_SUCCESS")
    request = AlipayTradeAppPayRequest()
    request.biz_content = {**order, "out_trade_no": "OWN_APP"}
    with urllib.request.urlopen(f"{base}/gateway.do?{client.sdk_execute(request)}", timeout=300) as answer:
        expect("app", "OWN_APP" in answer.read().decode(), True)

    token = run(AlipaySystemOauthTokenRequest, grant_type="authorization_code", code=known["code"])
    expect("open_id", token["open_id"], known["openId"])
    person = AlipayUserInfoShareRequest()
    person.udf_params = {"auth_token": token["access_token"]}
    expect("profile", json.loads(client.execute(person))["open_id"], known["openId"])

    for name, other in (("another key", made("app_public.pem")), ("another app", made(app_id="2021000000000009"))):
        try:
            run(AlipayTradeQueryRequest, own, by=other)
            expect(name, "accepted", "refused")
        except ResponseException:
            expect(name, "refused", "refused")

    app_key, alipay_key = read("app_public.pem"), read("alipay_public.pem")
    for name, text in {**known["carried"], "notification": known["notice"]}.items():
        key = alipay_key if name == "notification" else app_key
        fields = dict(urllib.parse.parse_qsl(text))
        sign = fields.pop("sign")
        if name == "notification":
            fields.pop("sign_type")
        raw = client_module.get_sign_content(fields)
        expect(f"{name} signature", verified(key, raw, sign), True)
        expect(f"{name} changed", verified(key, raw + "x", sign), False)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
