/// The treatment of a code of Alipay's (payments.md, 1C, the table of errors). No answer without a signature is final.
enum AlipayVerdict: Hashable, Sendable, CaseIterable {
    /// 10000: what was asked for is done; how, the answer's other members say.
    case done
    /// 10003: the order is there, and the customer is paying: queried until that ends.
    case paying
    /// Alipay does not know itself whether it did what was asked for: queried, then asked again with the same content.
    case unknownOutcome
    /// Nothing was done, and the same call may go better later.
    case later
    /// The order stands otherwise than the call needs: queried, and that decides.
    case queryFirst
    /// Alipay does not know the order: of one that is new, nobody has scanned it yet.
    case notThere
    /// A setting of ours, or a contract: asked again until people have mended that.
    case setting
    /// The bill is not made, or there was nothing on that day.
    case noBill
    /// No, however often it is asked.
    case final
    /// A code that the table does not have: not known yet.
    case unlisted

    /// - Parameters:
    ///   - code: `40004`
    ///   - subCode: `ACQ.TRADE_NOT_EXIST`; some come with `aop.` before them.
    ///   - call: the call that it answers. An order that is closed takes no payment any more; but a refund may be what has closed it.
    init(code: String?, subCode: String?, to call: AlipayCall) {
        var subCode = subCode ?? ""
        if subCode.hasPrefix("aop.ACQ.") { subCode.removeFirst("aop.".count) }
        switch (code, subCode) {
        case ("10000", _): self = .done
        case ("10003", _): self = .paying
        case (_, "ACQ.SYSTEM_ERROR"), (_, "isp.unknow-error"), (_, "isp.unknown-error"), (_, "aop.unknow-error"),
            ("20000", _):
            self = .unknownOutcome
        case ("20001", _), ("40001", _), ("40002", _), ("40006", _): self = .setting
        case ("40003", _): self = .final
        case ("40005", _): self = .later
        case ("40004", "ACQ.TRADE_NOT_EXIST"): self = .notThere
        case ("40004", "ACQ.TRADE_HAS_SUCCESS"), ("40004", "ACQ.TRADE_STATUS_ERROR"),
            ("40004", "ACQ.REASON_TRADE_STATUS_INVALID"), ("40004", "ACQ.DISCORDANT_REPEAT_REQUEST"):
            self = .queryFirst
        case ("40004", "ACQ.TRADE_HAS_CLOSE"): self = call == .refund ? .queryFirst : .final
        case ("40004", "ACQ.SELLER_BALANCE_NOT_ENOUGH"): self = .later
        case ("40004", "ACQ.CONTEXT_INCONSISTENT"), ("40004", "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL"),
            ("40004", "ACQ.REASON_TRADE_REFUND_FEE_ERR"):
            self = .final
        case ("40004", "isp.bill_not_exist"), ("40004", "BILL_NOT_EXIST"), ("40004", "isp.BILL_NOT_EXIST"):
            self = .noBill
        default: self = .unlisted
        }
    }
}
