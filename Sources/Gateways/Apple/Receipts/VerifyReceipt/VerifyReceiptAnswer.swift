import Foundation

/// The body of an answer of verifyReceipt, read as loosely as Apple writes it: numbers and flags as texts, one object in the
/// place of a list (stores/apple.md, 4).
struct VerifyReceiptAnswer {
    let status: Int64
    /// `is_retryable` by the documentation, `is-retryable` in fact; nil where it is not said.
    let isRetryable: Bool?
    private let body: LooseFields

    /// - Throws: `.malformed` for what is no JSON object with a status.
    init(_ body: Data) throws(GatewayError) {
        self.body = try LooseFields(try JSON(parsing: Array(body)), of: "answer")
        guard let status = try self.body.integer("status") else {
            throw GatewayError(.malformed, "The answer has no status.")
        }
        self.status = status
        isRetryable = try self.body.flag("is_retryable", "is-retryable")
    }

    var receipt: LooseFields? {
        get throws(GatewayError) { try body.object("receipt") }
    }

    var latestReceipt: String? {
        get throws(GatewayError) { try body.text("latest_receipt") }
    }

    /// The receipt's purchases and later ones, each transaction once: the later list is more recent.
    ///
    /// - Parameter unreadable: receives the error of each one that cannot be read; the others are taken all the same.
    func purchases(_ unreadable: inout [String]) throws(GatewayError) -> [AppleReceiptPurchase] {
        let receipt = try receipt
        var lists = try receipt?.objects("in_app", &unreadable) ?? []
        // A receipt of iOS 6 is itself the transaction.
        if let receipt, receipt.has("transaction_id") { lists.append(receipt) }
        lists += try body.objects("latest_expired_receipt_info", &unreadable)
        lists += try body.objects("latest_receipt_info", &unreadable)
        var known: [String: AppleReceiptPurchase] = [:]
        for fields in lists {
            do throws(GatewayError) {
                let purchase = try AppleReceiptPurchase(fields)
                known[purchase.transactionID] = purchase
            } catch {
                unreadable.append(error.message)
            }
        }
        return Array(known.values).inOrder
    }

    func renewals(_ unreadable: inout [String]) throws(GatewayError) -> [AppleReceiptRenewal] {
        var renewals: [AppleReceiptRenewal] = []
        for fields in try body.objects("pending_renewal_info", &unreadable) {
            do throws(GatewayError) {
                renewals.append(try AppleReceiptRenewal(fields))
            } catch {
                unreadable.append(error.message)
            }
        }
        // For receipts of iOS 6 it stands beside the status.
        if renewals.isEmpty, let receipt = try receipt, receipt.has("transaction_id"), body.has("auto_renew_status") {
            renewals.append(try AppleReceiptRenewal(body, besides: receipt))
        }
        return renewals
    }
}

/// Reads members whose values may be written as texts. Of several names, the first that is there counts.
struct LooseFields {
    private let json: JSON
    private let subject: String

    init(_ json: JSON, of subject: String) throws(GatewayError) {
        guard case .object = json else { throw GatewayError(.malformed, "The \(subject) is not a JSON object.") }
        self.json = json
        self.subject = subject
    }

    func has(_ name: String) -> Bool { value(name) != nil }

    /// An empty text counts as absent.
    func text(_ names: String...) throws(GatewayError) -> String? {
        let name = name(of: names)
        switch value(name) {
        case nil: return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .integer(let integer): return String(integer)
        default: throw wrongType(name, "a text")
        }
    }

    func integer(_ names: String...) throws(GatewayError) -> Int64? {
        let name = name(of: names)
        switch value(name) {
        case nil, .string(""): return nil
        case .integer(let integer): return integer
        case .string(let text):
            guard let integer = Int64(text) else { throw wrongType(name, "a whole number") }
            return integer
        default: throw wrongType(name, "a whole number")
        }
    }

    func flag(_ names: String...) throws(GatewayError) -> Bool? {
        let name = name(of: names)
        switch value(name) {
        case nil, .string(""): return nil
        case .bool(let flag): return flag
        case .integer(let number): return number != 0
        case .string(let text):
            switch text.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: throw wrongType(name, "true or false")
            }
        default: throw wrongType(name, "true or false")
        }
    }

    /// `name_ms`; where that is missing, `name` in milliseconds (iOS 6) or in Apple's words.
    func date(_ name: String) throws(GatewayError) -> Date? {
        if let date = try milliseconds(name + "_ms") { return date }
        guard case .string(let text) = value(name), text.contains(" ") else { return try milliseconds(name) }
        // "2019-11-10 17:37:05 Etc/GMT"
        let words = text.split(separator: " ")
        guard words.count == 3, words.last == "Etc/GMT", let day = words.first,
            let time = words.dropFirst().first, let date = AppleReceiptDate.date("\(day)T\(time)Z")
        else { throw wrongType(name, "a date") }
        return date
    }

    func object(_ name: String) throws(GatewayError) -> LooseFields? {
        try value(name).map { value throws(GatewayError) in try LooseFields(value, of: name) }
    }

    /// A list of objects, or the one object that stands for it; what is no object is named and left out.
    func objects(_ name: String, _ unreadable: inout [String]) throws(GatewayError) -> [LooseFields] {
        switch value(name) {
        case nil: return []
        case .array(let elements):
            var objects: [LooseFields] = []
            for element in elements {
                do throws(GatewayError) {
                    objects.append(try LooseFields(element, of: name))
                } catch {
                    unreadable.append(error.message)
                }
            }
            return objects
        case .object(let members): return [try LooseFields(.object(members), of: name)]
        default: throw wrongType(name, "a list")
        }
    }

    private func milliseconds(_ name: String) throws(GatewayError) -> Date? {
        guard let milliseconds = try integer(name) else { return nil }
        guard (-62_167_219_200_000...253_402_300_799_000).contains(milliseconds) else {
            throw wrongType(name, "a date within the years 0 to 9999")
        }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    private func name(of names: [String]) -> String {
        names.first(where: has) ?? names.first ?? ""
    }

    private func value(_ name: String) -> JSON? {
        guard let value = json[name], value != .null else { return nil }
        return value
    }

    private func wrongType(_ name: String, _ type: StaticString) -> GatewayError {
        GatewayError(.malformed, "The member \(name) of the \(subject) is not \(type).")
    }
}

extension AppleReceiptPurchase {
    /// An item of `in_app` or `latest_receipt_info`, or a receipt of iOS 6.
    ///
    /// - Throws: `.malformed`, or `.missing` without an id, a product or a date.
    init(_ fields: LooseFields) throws(GatewayError) {
        guard let transactionID = try fields.text("transaction_id"), let productID = try fields.text("product_id"),
            let purchasedAt = try fields.date("purchase_date")
        else {
            throw GatewayError(.missing, "A purchase of the answer has no id, no product or no date.")
        }
        let ownership = try fields.text("in_app_ownership_type") ?? ""
        self.init(
            transactionID: transactionID,
            originalTransactionID: try fields.text("original_transaction_id") ?? transactionID,
            productID: productID,
            quantity: try fields.integer("quantity") ?? 1,
            purchasedAt: purchasedAt,
            originallyPurchasedAt: try fields.date("original_purchase_date"),
            expiresAt: try fields.date("expires_date"),
            cancelledAt: try fields.date("cancellation_date"),
            cancellationReason: try fields.integer("cancellation_reason"),
            isTrial: try fields.flag("is_trial_period") == true,
            isIntroductoryOffer: try fields.flag("is_in_intro_offer_period") == true,
            isUpgraded: try fields.flag("is_upgraded") == true,
            isFamilyShared: ownership == "FAMILY_SHARED",
            isAssigned: !["", "PURCHASED", "FAMILY_SHARED"].contains(ownership),
            promotionalOfferID: try fields.text("promotional_offer_id"),
            offerCodeName: try fields.text("offer_code_ref_name"),
            webOrderLineItemID: try fields.text("web_order_line_item_id"),
            subscriptionGroupID: try fields.text("subscription_group_identifier"),
            appAccountToken: try fields.text("app_account_token").flatMap(UUID.init(uuidString:))
        )
    }
}
