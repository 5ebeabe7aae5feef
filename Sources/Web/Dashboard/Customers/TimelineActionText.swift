import Billing
import Foundation
import Operations
import Storage

/// What staff did to a customer, in words: a sentence with its object and amount, and the fields that it changed.
///
/// The audit log keeps before and after as texts; here they are read back and said in the reader's language and the
/// app's time zone. What has no word is left out: the audit entry has it.
struct TimelineActionText {
    let title: String
    let changes: [TimelineText.Change]

    init(_ moment: Timeline.Moment, _ action: Timeline.Action, _ viewer: Viewer) {
        func side(_ json: String?) -> [String: String] { MaskedJSON.members(json).filter { $0.value != "none" } }
        let facts = Facts(
            before: side(action.before?.shown(to: viewer)),
            after: side(action.after?.shown(to: viewer)),
            viewer: viewer,
            refunds: RefundText(viewer, now: moment.at)
        )
        title =
            facts.sentence(action.action, about: action.objectID ?? "")
            ?? ActionText.title(of: action.action, viewer.strings)
        changes = facts.changes
    }
}

/// The two sides of an audit entry, without what was absent.
private struct Facts {
    let before: [String: String]
    let after: [String: String]
    let viewer: Viewer
    let refunds: RefundText

    private var strings: Strings { refunds.strings }

    // MARK: Sentences

    /// nil where the entry does not say enough, or its reader may not read what it says.
    func sentence(_ action: String, about object: String) -> String? {
        switch action {
        case "refund.request": strings.timelineActionRefundRequest(refund: refund(object))
        case "refund.approve": strings.timelineActionRefundApprove(refund: refund(object))
        case "refund.reject": strings.timelineActionRefundReject(refund: refund(object))
        case "refund.cancel": strings.timelineActionRefundCancel(refund: refund(object))
        case "refund.process": strings.timelineActionRefundProcess(refund: refund(object))
        case "refund.expire": strings.timelineActionRefundExpire(refund: refund(object))
        case "access.grant":
            grant(in: after).map { grant in
                grant.end.map { strings.timelineGranted(date: refunds.moment($0), plan: grant.plan) }
                    ?? strings.timelineGrantedForGood(plan: grant.plan)
            }
        case "access.extend":
            grant(in: after).flatMap { grant in
                grant.end.map { strings.timelineExtendedUntil(date: refunds.moment($0), plan: grant.plan) }
            }
        case "access.revoke": (before["plan"] ?? grant(in: before)?.plan).map { strings.timelineRevokedPlan(plan: $0) }
        case "access.restore": (after["plan"] ?? grant(in: after)?.plan).map { strings.timelineRestoredPlan(plan: $0) }
        case "access.change_tier":
            if let old = before["plan"], let new = after["plan"] {
                strings.timelineChangedPlan(after: new, before: old)
            } else {
                nil
            }
        case "subscription.transfer":
            after.first { $0.key.hasPrefix("holder of ") }.map { strings.timelineTransferredTo(customer: $0.value) }
        case _: nil
        }
    }

    /// "RF-000077, 31.20 CNY"
    private func refund(_ number: String) -> String {
        let amounts = ["processedAmount", "approvedAmount", "requestedAmount"].compactMap { after[$0] ?? before[$0] }
        guard let text = amounts.first, let amount = self.amount(text) else { return number }
        return strings.timelineRefund(amount: amount, number: number)
    }

    /// "31.20 CNY"
    private func amount(_ text: String) -> String? {
        guard let code = after["currency"] ?? before["currency"], let currency = Currency(code),
            let money = try? Money(decimalText: text, currency: currency)
        else { return nil }
        return refunds.amount(money)
    }

    /// The plan and end of the grant that one side tells of.
    private func grant(in side: [String: String]) -> (plan: String, end: Date?)? {
        for name in side.keys.sorted() {
            guard let field = FieldChange.Field(name: name), case .grant = field, let text = side[name],
                case .span(let plan, _, let end)? = FieldChange.Value(text: text, of: field)
            else { continue }
            return (plan, end)
        }
        return nil
    }

    // MARK: Fields

    /// The store's preference; entries of earlier versions have the second name.
    private static let preferences = ["refundPreference", "storeAnswer"]

    var changes: [TimelineText.Change] {
        Set(before.keys).union(after.keys).sorted().compactMap { field in
            guard before[field] != after[field], let name = name(of: field) else { return nil }
            return TimelineText.Change(
                field: name,
                before: value(of: field, before[field]),
                after: value(of: field, after[field])
            )
        }
    }

    private func name(of name: String) -> String? {
        if let field = FieldChange.Field(name: name) { return EntitlementActionText.name(of: field, strings) }
        if Self.preferences.contains(name) {
            return strings.refundsFactAnswer(store: strings.refundsTheStore.description)
        }
        let text: StaticString? =
            switch name {
            case "status": strings.partsStatus
            case "kind": strings.refundsFactKind
            case "requestedAmount": strings.refundsFactRequested
            case "approvedAmount": strings.refundsFactApproved
            case "processedAmount": strings.refundsFactProcessed
            case "payer": strings.refundsFactPayer
            case "paymentReference": strings.refundsFactReference
            case "text": strings.customersTheNote
            case _: nil
            }
        return text?.description
    }

    private func value(of name: String, _ text: String?) -> String {
        guard let text else { return strings.partsNone.description }
        if let field = FieldChange.Field(name: name) {
            return FieldChange.Value(text: text, of: field).map { EntitlementActionText.text($0, viewer) } ?? text
        }
        let known: String? =
            switch name {
            case "status": Refund.Status(rawValue: text).map { refunds.name(of: $0).description }
            case "kind": Refund.Kind(rawValue: text).map { refunds.name(of: $0).description }
            case "requestedAmount", "approvedAmount", "processedAmount": amount(text)
            case "payer":
                RefundPayer(rawValue: text).map {
                    ($0 == .store ? strings.refundsTheStore : strings.refundsPaidElsewhere).description
                }
            case _: nil
            }
        return known ?? text
    }
}
