package import Billing
import CryptoExtras
import Foundation

extension WeChatPay: AbnormalRefundServer {
    package func refund(_ refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding {
        try check(refund)
        var body: JSON = [
            "transaction_id": .string(refund.transactionID), "out_refund_no": .string(refund.number),
        ]
        let reason = WeChatPayText.plain(refund.reason, atMost: 80)
        if !reason.isEmpty { body["reason"] = .string(reason) }
        // Without one WeChat Pay tells the address that its merchant platform has, if it has any.
        if let url = refund.notificationURL, WeChatPayText.isNotificationAddress(url) {
            body["notify_url"] = .string(url)
        }
        body["amount"] = [
            "refund": .integer(refund.amount.minorUnits), "total": .integer(refund.total.minorUnits),
            "currency": .string(refund.amount.currency.code),
        ]
        do throws(StoreFailure) {
            return try await ask(WeChatPayCall(.refund, "/v3/refund/domestic/refunds", body: body)) {
                json throws(GatewayError) in try Self.standing(in: json, of: refund.number)
            }
        } catch {
            // A no to this attempt is none to an earlier one whose answer was lost: what was done under the number decides.
            guard error.refusal != nil, let known = try await standing(of: refund) else { throw error }
            return known
        }
    }

    package func standing(of refund: StoreRefund) async throws(StoreFailure) -> StoreRefundStanding? {
        try check(refund)
        let path = "/v3/refund/domestic/refunds/\(FormFields.escape(refund.number))"
        do {
            return try await client.ask(WeChatPayCall(.refundQuery, path)) { json throws(GatewayError) in
                try Self.standing(in: json, of: refund.number)
            }
        } catch {
            guard !error.isUnknown else { return nil }
            throw StoreFailure(error)
        }
    }

    /// A refund by WeChat Pay's account, whoever asked for it: of what its notification says only the number counts.
    ///
    /// - Throws: `.unanswered` also while WeChat Pay does not know of it yet.
    func notice(ofRefund number: String) async throws(StoreFailure) -> StoreRefundNotice {
        guard WeChatPayText.isRefundNumber(number) else { throw Self.refusal("This is no number of a refund.") }
        let path = "/v3/refund/domestic/refunds/\(FormFields.escape(number))"
        return try await ask(WeChatPayCall(.refundQuery, path)) { json throws(GatewayError) in
            let refund = try WeChatPayRefund(json, state: "status")
            guard refund.number == number else { throw GatewayError(.malformed, "The answer is about another refund.") }
            return StoreRefundNotice(
                orderNumber: refund.orderNumber,
                transactionID: refund.transactionID,
                number: number,
                merchantID: merchant.merchantID,
                standing: refund.standing
            )
        }
    }

    package func settleAbnormal(
        _ refund: StoreRefund,
        storeID: String,
        to route: AbnormalRoute
    ) async throws(StoreFailure) -> StoreRefundStanding {
        try check(refund)
        var (body, serial): (JSON, WeChatPaySerial?) = (["out_refund_no": .string(refund.number)], nil)
        switch route {
        case .merchant: body["type"] = "MERCHANT_BANK_CARD"
        case .customer(let bank, let account, let name):
            body["type"] = "USER_BANK_CARD"
            body["bank_type"] = .string(bank)
            do {
                let (named, key) = try await client.keys.encryptionKey(at: client.clock.now())
                body["bank_account"] = .string(try Self.encrypt(account, for: key))
                body["real_name"] = .string(try Self.encrypt(name, for: key))
                serial = named
            } catch {
                throw StoreFailure(unreadable: error)
            }
        }
        var call = WeChatPayCall(
            .abnormalRefund,
            "/v3/refund/domestic/refunds/\(FormFields.escape(storeID))/apply-abnormal-refund",
            body: body
        )
        call.encryptedFor = serial
        return try await ask(call) { json throws(GatewayError) in try Self.standing(in: json, of: refund.number) }
    }

    private func check(_ refund: StoreRefund) throws(StoreFailure) {
        guard WeChatPayText.isRefundNumber(refund.number) else { throw Self.refusal("This is no number of a refund.") }
        guard refund.amount.currency == refund.total.currency, refund.amount.minorUnits >= 1,
            refund.amount.minorUnits <= refund.total.minorUnits, refund.total.minorUnits <= Money.highestPrice
        else { throw Self.refusal("A refund is of one fen at least, and of the payment at most.") }
    }

    private static func standing(in json: JSON, of number: String) throws(GatewayError) -> StoreRefundStanding {
        let refund = try WeChatPayRefund(json, state: "status")
        guard refund.number == number else { throw GatewayError(.malformed, "The answer is about another refund.") }
        return refund.standing
    }

    /// RSA with OAEP and SHA-1, as base64.
    private static func encrypt(_ text: Secret, for key: _RSA.Signing.PublicKey) throws(GatewayError) -> String {
        do {
            return try _RSA.Encryption.PublicKey(derRepresentation: key.derRepresentation)
                .encrypt(Data(text.revealed.utf8), padding: .PKCS1_OAEP).base64EncodedString()
        } catch {
            throw GatewayError(.malformed, "The customer's bank account cannot be encrypted: it is too long.")
        }
    }
}
