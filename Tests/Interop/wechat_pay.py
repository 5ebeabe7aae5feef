#!/usr/bin/env python3
"""Judges the simulated WeChat Pay with wechatpayv3: each of its calls that the simulator has must get through, and see refusals; its
verifier must accept what the simulator signs, and reject what is bent.

usage: wechat_pay.py DIRECTORY

DIRECTORY holds merchant.pem, the merchant's key; public.pem, WeChat Pay's public key; pay.json: url, webhook, appId, merchantId, serial,
apiV3Key, publicKeyId, and usesPublicKey; requests.jsonl, one {message, signature} a line that ours signed; notifications.jsonl, one
{headers, body, type, isGood} a line.
Exit code: 0 all as wechatpayv3 has it, 1 something is not. The last line is `N passed, N failed`.
"""

import csv
import json
import pathlib
import sys

import requests
import wechatpayv3.core
from wechatpayv3 import WeChatPay, WeChatPayType
from wechatpayv3.utils import load_private_key, rsa_sign

passed = failed = 0


def expect(name, seen, wanted):
    global passed, failed
    if seen == wanted:
        passed += 1
    else:
        failed += 1
        print(f"{name}: {seen!r} instead of {wanted!r}")


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def judge_notifications(client, entries):
    for number, entry in enumerate(entries):
        try:
            event = client.callback(entry["headers"], entry["body"])
        except Exception as error:  # noqa: BLE001: wechatpayv3 raises bare exceptions, and a cut ciphertext raises others
            event = None if not entry["isGood"] else error
        expect(f"notification {number}", event and event["event_type"], entry["type"] if entry["isGood"] else None)


def main():
    folder = pathlib.Path(sys.argv[1])
    known = json.loads((folder / "pay.json").read_text(encoding="utf-8"))
    key = (folder / "merchant.pem").read_text(encoding="utf-8")
    wechatpayv3.core.Core._gate_way = property(lambda core: known["url"], lambda core, value: None)

    def desk(path, **body):
        answer = requests.post(f"{known['url']}/simulator/wechat/{path}", json=body, timeout=300)
        return answer.status_code, answer.json()

    def client(**bent):
        mode = {}
        if known["usesPublicKey"]:
            mode = {"public_key": (folder / "public.pem").read_text(encoding="utf-8"), "public_key_id": known["publicKeyId"]}
        return WeChatPay(**{
            "wechatpay_type": WeChatPayType.NATIVE, "mchid": known["merchantId"], "private_key": key,
            "cert_serial_no": known["serial"], "appid": known["appId"], "apiv3_key": known["apiV3Key"],
            "notify_url": known["webhook"], **mode, **bent})

    def call(name, answer, status, member=None):
        code, text = answer
        content = json.loads(text) if text else {}
        expect(name, code, status)
        return content.get(member) if member else content

    own = load_private_key(key)
    for entry in lines(folder / "requests.jsonl"):
        expect("our signature", entry["signature"], rsa_sign(own, entry["message"]))

    pay = client()
    native = {"description": "专业版 月付", "out_trade_no": "JUDGE-0001", "amount": {"total": 600, "currency": "CNY"}}
    address = call("native", pay.pay(**native), 200, "code_url")
    expect("code", address.startswith("weixin://"), True)
    expect("the same again", call("native again", pay.pay(**native), 200, "code_url"), address)
    call("another price", pay.pay(**{**native, "amount": {"total": 700, "currency": "CNY"}}), 400)
    call("emoji", pay.pay(**{**native, "out_trade_no": "JUDGE-0009", "description": "🌸"}), 400)
    prepay = call("jsapi", pay.pay(**{**native, "out_trade_no": "JUDGE-0002"}, payer={"openid": "o1"},
                                   pay_type=WeChatPayType.JSAPI), 200, "prepay_id")
    expect("prepay id", bool(prepay), True)
    call("app", pay.pay(**{**native, "out_trade_no": "JUDGE-0003"}, pay_type=WeChatPayType.APP), 200)
    scene = {"payer_client_ip": "203.0.113.7", "h5_info": {"type": "Wap"}}
    call("h5", pay.pay(**{**native, "out_trade_no": "JUDGE-0004"}, scene_info=scene, pay_type=WeChatPayType.H5), 200)
    expect("open", call("query", pay.query(out_trade_no="JUDGE-0001"), 200, "trade_state"), "NOTPAY")
    call("unknown order", pay.query(out_trade_no="JUDGE-NOBODY"), 404)
    call("close", pay.close(out_trade_no="JUDGE-0004"), 204)
    expect("closed", call("query", pay.query(out_trade_no="JUDGE-0004"), 200, "trade_state"), "CLOSED")

    status, paid = desk("pay", out_trade_no="JUDGE-0001")
    expect("paid", status, 200)
    transaction = call("query by id", pay.query(transaction_id=paid["transaction_id"]), 200)
    expect("success", (transaction["trade_state"], transaction["amount"]["total"]), ("SUCCESS", 600))
    call("closing a paid order", pay.close(out_trade_no="JUDGE-0001"), 400)

    refund = {"out_refund_no": "JUDGE-R-1", "transaction_id": paid["transaction_id"],
              "amount": {"refund": 100, "total": 600, "currency": "CNY"}}
    desk("refunds", status="ABNORMAL", seconds=0)
    expect("refund", call("refund", pay.refund(**refund), 200, "status"), "PROCESSING")
    asked = call("refund query", pay.query_refund("JUDGE-R-1"), 200)
    expect("abnormal", asked["status"], "ABNORMAL")
    call("unknown refund", pay.query_refund("JUDGE-R-NOBODY"), 404)
    call("same number, other amount", pay.refund(**{**refund, "amount": {"refund": 200, "total": 600, "currency": "CNY"}}), 400)
    card = {"bank_type": "ICBC_DEBIT", "bank_account": "6222020000", "real_name": "王小明"}
    call("abnormal refund", pay.abnormal_refund(asked["refund_id"], "JUDGE-R-1", "USER_BANK_CARD", **card), 200)
    expect("settled", call("refund query", pay.query_refund("JUDGE-R-1"), 200, "status"), "SUCCESS")

    # The orders of three days ago are in their bills.
    for name, ask in (("trade bill", pay.trade_bill), ("fund bill", pay.fundflow_bill)):
        place = call(name, ask(known["billDay"], tar_type=""), 200)
        code, text = pay.download_bill(place["download_url"])
        expect(f"{name} file", code, 200)
        rows = list(csv.reader(text.decode("utf-8").splitlines()))
        expect(f"{name} rows", rows[-1][0], f"`{len(rows) - 3}")
    code, text = pay.trade_bill("2026-01-01", tar_type="")
    expect("an old bill", code, 400)

    code, _ = client(cert_serial_no="0" * 40).query(out_trade_no="JUDGE-0001") if known["usesPublicKey"] else (401, "")
    expect("another serial", code, 401)
    judge_notifications(pay, lines(folder / "notifications.jsonl"))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
