import Billing
import Foundation
import Gateways

/// The body of a good answer of verifyReceipt, in Apple's spelling: almost everything is a text (stores/apple.md, 4).
struct VerifyReceiptBody {
    var receipt: AppleReceipt
    /// The receipt in base64.
    var text: String
    var later: [AppleReceiptPurchase]
    var renewals: [SimulatedPendingRenewal]
    var excludesOld: Bool
    var now: Date

    var json: JSON {
        let isSandbox = receipt.environment == .sandbox
        var fields: JSON = [
            "receipt_type": .string(receipt.rawEnvironment), "adam_id": .integer(receipt.appAppleID ?? 0),
            "app_item_id": .integer(receipt.appAppleID ?? 0), "bundle_id": .string(receipt.bundleID),
            "application_version": .string(receipt.applicationVersion ?? "1"),
            "download_id": .integer(receipt.downloadID ?? 0),
            "version_external_identifier": .integer(receipt.versionExternalIdentifier ?? 0),
            "original_application_version": .string(receipt.originalApplicationVersion ?? "1.0"),
            "in_app": .array(receipt.purchases.map { .object($0.answerFields) }),
        ]
        fields.append(date: receipt.createdAt, "receipt_creation_date")
        fields.append(date: now, "request_date")
        fields.append(date: receipt.originalPurchasedAt, "original_purchase_date")
        fields.append(date: receipt.expiresAt, "expiration_date")
        var answer: JSON = [
            "status": 0, "environment": isSandbox ? "Sandbox" : "Production", "receipt": fields,
            "latest_receipt": .string(text),
        ]
        answer["latest_receipt_info"] = .array(latest.map { .object($0.answerFields) })
        answer["pending_renewal_info"] = .array(renewals.map(\.answerFields))
        return answer
    }

    /// The body for apps of iOS 6: one transaction as the receipt, one object as its latest; 21006 when it has expired.
    var asForIOS6: JSON {
        guard let first = receipt.purchases.first, let last = latest.last else { return ["status": 21_002] }
        var fields = JSON.object(first.answerFields)
        fields["bid"] = .string(receipt.bundleID)
        fields["bvrs"] = .string(receipt.applicationVersion ?? "1")
        fields["item_id"] = .string(String(receipt.appAppleID ?? 0))
        let hasExpired = last.expiresAt.map { $0 <= now } ?? false
        var answer: JSON = ["status": hasExpired ? 21_006 : 0, "receipt": fields]
        answer[hasExpired ? "latest_expired_receipt_info" : "latest_receipt_info"] = .object(last.answerFields)
        if let renewal = renewals.first {
            answer["auto_renew_status"] = .integer(renewal.renewsAutomatically ? 1 : 0)
            answer["auto_renew_product_id"] = .string(renewal.nextProductID)
        }
        return answer
    }

    /// All purchases but finished consumables, oldest first; only the last of each subscription where old ones are not wanted.
    private var latest: [AppleReceiptPurchase] {
        var latest: [String: AppleReceiptPurchase] = [:]
        for purchase in receipt.purchases + later { latest[purchase.transactionID] = purchase }
        let all = latest.values.sorted { ($0.purchasedAt, $0.transactionID) < ($1.purchasedAt, $1.transactionID) }
        guard excludesOld else { return all }
        return Dictionary(grouping: all) { $0.expiresAt == nil ? $0.transactionID : $0.originalTransactionID }
            .values.compactMap(\.last)
    }
}

extension AppleReceiptPurchase {
    fileprivate var answerFields: [JSON.Member] {
        var fields: JSON = [
            "quantity": .string(String(quantity)), "product_id": .string(productID),
            "transaction_id": .string(transactionID), "original_transaction_id": .string(originalTransactionID),
            "is_trial_period": .string(String(isTrial)),
            "in_app_ownership_type": isFamilyShared ? "FAMILY_SHARED" : "PURCHASED",
        ]
        fields.append(date: purchasedAt, "purchase_date")
        fields.append(date: originallyPurchasedAt ?? purchasedAt, "original_purchase_date")
        fields.append(date: expiresAt, "expires_date")
        fields.append(date: cancelledAt, "cancellation_date")
        if expiresAt != nil { fields["is_in_intro_offer_period"] = .string(String(isIntroductoryOffer)) }
        if isUpgraded { fields["is_upgraded"] = "true" }
        fields["cancellation_reason"] = cancellationReason.map { .string(String($0)) }
        fields["web_order_line_item_id"] = webOrderLineItemID.map { .string($0) }
        fields["subscription_group_identifier"] = subscriptionGroupID.map { .string($0) }
        fields["promotional_offer_id"] = promotionalOfferID.map { .string($0) }
        fields["offer_code_ref_name"] = offerCodeName.map { .string($0) }
        fields["app_account_token"] = appAccountToken.map { .string($0.uuidString.lowercased()) }
        guard case .object(let members) = fields else { return [] }
        return members
    }
}

extension SimulatedPendingRenewal {
    fileprivate var answerFields: JSON {
        var fields: JSON = [
            "original_transaction_id": .string(originalTransactionID), "product_id": .string(productID),
            "auto_renew_product_id": .string(nextProductID), "auto_renew_status": renewsAutomatically ? "1" : "0",
        ]
        fields["expiration_intent"] = expirationIntent.map { .string(String($0)) }
        fields["is_in_billing_retry_period"] = isInBillingRetry.map { $0 ? "1" : "0" }
        fields.append(date: gracePeriodExpiresDate, "grace_period_expires_date")
        return fields
    }
}

extension JSON {
    /// Appends a date as Apple's three members.
    fileprivate mutating func append(date: Date?, _ name: String) {
        guard let date else { return }
        let day = date.formatted(.iso8601.year().month().day())
        let time = date.formatted(.iso8601.time(includingFractionalSeconds: false))
        self[name] = .string("\(day) \(time) Etc/GMT")
        self["\(name)_ms"] = .string(String(Int64((date.timeIntervalSince1970 * 1_000).rounded())))
        let pacific = date.addingTimeInterval(-28_800)
        self["\(name)_pst"] = .string(
            "\(pacific.formatted(.iso8601.year().month().day())) "
                + "\(pacific.formatted(.iso8601.time(includingFractionalSeconds: false))) America/Los_Angeles"
        )
    }
}
