import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

extension ActionFacts {
    /// A field before and after.
    struct Change: Sendable {
        var field: String
        var before: String
        var after: String
    }

    /// Every field that has a word, and differs.
    var knownChanges: [Change] {
        fields.compactMap { field in
            guard before[field] != after[field], let name = name(of: field) else { return nil }
            return change(field, name)
        }
    }

    /// Every field; one of a later version of the program by its name in the log.
    var allChanges: [Change] { fields.map { change($0, name(of: $0) ?? Self.readable($0)) } }

    /// Amounts are shown with their currency.
    private var fields: [String] {
        Set(before.fields).union(after.fields).sorted().filter { field in
            field != "currency" || value("requestedAmount") == nil
        }
    }

    private func change(_ field: String, _ name: String) -> Change {
        Change(field: name, before: text(of: field, in: before), after: text(of: field, in: after))
    }

    private func text(of field: String, in side: AuditSide) -> String {
        guard let text = side[field] else { return strings.partsNone.description }
        return known(field, text, in: side) ?? readable(text)
    }

    // MARK: Names

    /// The store's preference; entries of earlier versions have the second name.
    private static let preferences = ["refundPreference", "storeAnswer"]

    private func name(of field: String) -> String? {
        if let field = FieldChange.Field(name: field) { return EntitlementActionText.name(of: field, strings) }
        if Self.preferences.contains(field) {
            return strings.refundsFactAnswer(store: strings.refundsTheStore.description)
        }
        if let state = BulkJobItem.State(rawValue: field) { return BulkText.name(of: state, strings) }
        if let name = name(ofPromoCodes: field) { return name }
        return name(ofRefund: field) ?? name(ofStaff: field) ?? name(ofList: field) ?? name(ofStore: field)
    }

    private func name(ofPromoCodes field: String) -> String? {
        let text: StaticString? =
            switch field {
            case "channel": strings.promoCodesChannel
            case "codes": strings.promoCodesCodes
            case "uses per code": strings.promoCodesUsesPerCode
            case "uses per customer": strings.promoCodesUsesPerCustomer
            case "starts", "from": strings.promoCodesStarts
            case "expires": strings.promoCodesExpires
            case "batch": strings.entriesObjectPromoBatch
            case "code": strings.promoCodesCode
            case "days" where objectType == "promo_batch": strings.promoCodesDays
            case _: nil
            }
        return text?.description
    }

    private func name(ofStore field: String) -> String? {
        let text: StaticString? =
            switch field {
            case "environment": strings.connectionsEnvironment
            case "key": strings.connectionsSetting
            case "issuer": strings.connectionsLoginIssuer
            case "audience": strings.connectionsLoginAudience
            case "issuerId": strings.connectionsIssuerId
            case "keyId", "id.keyId": strings.connectionsKeyId
            case "id.teamId": strings.connectionsTeamId
            case "id.clientIds": strings.connectionsClientIds
            case "appAccountToken": strings.purchasesToken
            case "provider", "providers": strings.customersProvider
            case "appleOriginalTransactionId": strings.subscriptionsOriginalFact
            case _: nil
            }
        return text?.description
    }

    private func name(ofRefund field: String) -> String? {
        let text: StaticString? =
            switch field {
            case "status", "state": strings.partsStatus
            case "kind": objectType == "bulk" ? strings.bulkFieldKind : strings.refundsFactKind
            case "requestedAmount": strings.refundsFactRequested
            case "approvedAmount": strings.refundsFactApproved
            case "processedAmount": strings.refundsFactProcessed
            case "payer": strings.refundsFactPayer
            case "paymentReference": strings.refundsFactReference
            case "consumptionReason": strings.entriesFieldConsumptionReason
            case "consumptionPercentage": strings.refundsAnsweringConsumed
            case "storeDecision": strings.entriesFieldStoreDecision
            case "result": strings.entriesFieldResult
            case "feature": strings.entriesFieldFeature
            case "window": strings.entriesFieldWindow
            case "limit": strings.entriesFieldLimit
            case "used": strings.entriesFieldUsed
            case "increaseUntil": strings.entriesFieldIncreaseUntil
            case "consent": strings.customersConsentState
            case "recordedBy": strings.customersConsentSource
            case "extension": strings.entriesFieldExtension
            case "target": strings.extensionsTarget
            case "days": strings.extensionsDays
            case "reasonCode": strings.extensionsReason
            case "text": strings.customersTheNote
            case _: nil
            }
        return text?.description
    }

    private func name(ofStaff field: String) -> String? {
        let text: StaticString? =
            switch field {
            case "email": strings.staffEmail
            case "name": strings.viewsFieldName
            case "role": strings.staffRole
            case "apps": strings.staffApps
            case "account": strings.entriesFieldAccount
            case "sessions": strings.staffSessions
            case "keys": strings.staffKeys
            case "keys revoked": strings.entriesFieldKeysRevoked
            case "two_factor": strings.accountFactor
            case "second_factors": strings.entriesFieldSecondFactors
            case "second factor": strings.entriesFieldSecondFactor
            case "scopes": strings.entriesFieldScopes
            case "of": strings.entriesFieldOf
            case "ended": strings.entriesFieldEnded
            case _: nil
            }
        return text?.description
    }

    private func name(ofList field: String) -> String? {
        let text: StaticString? =
            switch field {
            case "list": strings.entriesFieldList
            case "view": strings.entriesFieldView
            case "query", "filter": strings.entriesFieldFilter
            case "columns": strings.entriesFieldColumns
            case "shared": strings.entriesFieldShared
            case "lines": strings.entriesFieldLines
            case "attempts": strings.notificationsAttempts
            case "queue": strings.entriesFieldQueue
            case "count": strings.entriesFieldCount
            case "content": strings.entriesFieldContent
            case "directory": strings.entriesFieldDirectory
            case "every": strings.entriesFieldEvery
            case "hour": strings.entriesFieldHour
            case "personalData": strings.entriesFieldPersonalData
            case "file": strings.entriesFieldFile
            case "rows": strings.entriesFieldRows
            case "complete": strings.entriesFieldComplete
            case _: nil
            }
        return text?.description
    }

    // MARK: Values

    private func known(_ field: String, _ text: String, in side: AuditSide) -> String? {
        if let field = FieldChange.Field(name: field) {
            return FieldChange.Value(text: text, of: field).map { EntitlementActionText.text($0, viewer) }
        }
        if Self.preferences.contains(field) {
            return RefundPreference(rawValue: text).map { refunds.name(of: $0).description }
        }
        return switch field {
        case "status": Refund.Status(rawValue: text).map { refunds.name(of: $0).description }
        case "kind":
            Refund.Kind(rawValue: text).map { refunds.name(of: $0).description }
                ?? BulkJob.Kind(rawValue: text).map { BulkText.name(of: $0, strings) }
        case "requestedAmount", "approvedAmount", "processedAmount": amount(text)
        case "payer":
            RefundPayer(rawValue: text).map {
                ($0 == .store ? strings.refundsTheStore : strings.refundsPaidElsewhere).description
            }
        case "state": state(text)
        case "starts", "expires", "from": Date(rfc3339: text).map { refunds.moment($0) }
        case "window": UsageWindow(rawValue: text).map { UsageActionText.name(of: $0, strings).description }
        case "key" where objectType == "store":
            StoreKey.Kind(rawValue: text).map {
                StoreConnectionText.name(of: $0, at: objectID.flatMap(Store.init(rawValue:)) ?? .apple, strings)
                    .description
            }
        // Ids, also where they are digits alone.
        case "keyId", "id.keyId", "id.teamId", "appleOriginalTransactionId": text
        case "environment":
            StoreEnvironment(rawValue: text).map { StoreText.name(of: $0, strings).description }
        case "queue": QueueName(rawValue: text).map { QueueText.name(of: $0, strings).description }
        case _: word(field, text) ?? list(field, text, in: side)
        }
    }

    private func state(_ text: String) -> String? {
        if objectType == "promo_batch" {
            return PromoTerms.State(rawValue: text).map { PromoText.name(of: $0, strings).description }
        }
        return objectType == "bulk"
            ? BulkJob.State(rawValue: text).map { BulkText.name(of: $0, strings) }
            : NotificationState(rawValue: text).map { StatusText($0, strings).word.description }
    }

    private func list(_ field: String, _ text: String, in side: AuditSide) -> String? {
        switch field {
        case "list": AuditObject.list(text, strings)
        case "content": AuditObject.list(text, strings)
        case "query", "filter": ViewText.filters(text, strings)
        case "columns":
            ListName(rawValue: side["list"] ?? objectID ?? "").flatMap { ColumnChoice(text: text, of: $0) }
                .map { ViewText.columns($0, strings) }
        case "hour": Int(text).map { $0 < 10 ? "0\($0):00" : "\($0):00" }
        case _: Int(text).map { strings.number($0) }
        }
    }

    /// Values that are words of the log.
    private func word(_ field: String, _ text: String) -> String? {
        let word: StaticString? =
            switch (field, text) {
            case ("role", _): StaffRole(rawValue: text).map { strings.name(of: $0) }
            case ("account", "open"): strings.staffIsOpen
            case ("account", "shut"): strings.staffIsShut
            case ("two_factor", "on"): strings.staffOn
            case ("two_factor", "off"): strings.staffOff
            case ("apps", "all"): strings.staffAll
            case ("scopes", "everything"): strings.entriesValueEverything
            case ("second factor", "code"): strings.entriesValueCode
            case ("second factor", "recovery code"): strings.entriesValueRecoveryCode
            case ("every", "day"): strings.entriesValueDay
            case ("every", "week"): strings.entriesValueWeek
            case ("every", "month"): strings.entriesValueMonth
            case (_, "yes"): strings.auditYes
            case (_, "no"): strings.auditNo
            case _: nil
            }
        return word?.description
    }

    // MARK: Names and texts without a word of their own

    /// "approved_until" and "approvedUntil" read "approved until".
    private static func readable(_ field: String) -> String {
        field.replacing("_", with: " ").replacing(/([a-z])([A-Z])/) { "\($0.1) \($0.2.lowercased())" }
    }

    /// Returns the text with each UTC time stamp as the app's clock shows it.
    private func readable(_ text: String) -> String {
        text.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/) { stamp in
            let whole = stamp.0.prefix(19) + "Z"
            return Date(rfc3339: String(whole)).map { refunds.moment($0) } ?? String(stamp.0)
        }
    }
}
