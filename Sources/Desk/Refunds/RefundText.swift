import Billing
import Foundation
import HTTP
import Storage
import Words

/// Refund requests in words of one language, by one clock and one zone.
struct RefundText: Sendable {
    let strings: Strings
    let zone: BusinessZone
    let now: Date

    init(_ viewer: Viewer, now: Date) {
        strings = viewer.strings
        zone = viewer.zone
        self.now = now
    }

    func name(of kind: Refund.Kind) -> StaticString {
        switch kind {
        case .full: strings.refundsKindFull
        case .partial: strings.refundsKindPartial
        case .prorated: strings.refundsKindProrated
        }
    }

    /// Names the preference that is told to a store that decides for itself.
    func name(of preference: RefundPreference) -> StaticString {
        switch preference {
        case .grantFull: strings.refundsPreferenceFull
        case .grantProrated: strings.refundsPreferenceProrated
        case .decline: strings.refundsPreferenceDecline
        }
    }

    func name(of status: Refund.Status) -> StaticString {
        switch status {
        case .pending: strings.refundsStatusPending
        case .approved: strings.refundsStatusApproved
        case .processed: strings.refundsStatusProcessed
        case .rejected: strings.refundsStatusRejected
        case .cancelled: strings.refundsStatusCancelled
        case .expired: strings.refundsStatusExpired
        }
    }

    /// A status with its shape; what the store declined says so.
    func status(of request: RefundRequest) -> RefundStatusText {
        let word = request.storeDeclinedAt == nil ? name(of: request.refund.status) : strings.refundsStatusDeclined
        let shape: StaticString =
            switch request.refund.status {
            case .pending: "pending"
            case .approved: "approved"
            case .processed: "processed"
            case .rejected: request.storeDeclinedAt == nil ? "rejected" : "revoked"
            case .cancelled: "cancelled"
            case .expired: "expired"
            }
        return RefundStatusText(word: word, shape: shape)
    }

    /// Returns the reason for a request: what somebody wrote, or the store's word for what its customer said.
    func reason(of request: RefundRequest, for viewer: Viewer) -> String {
        guard request.isOpenedByStore else {
            return request.reason.shown(to: viewer) ?? strings.refundsReasonHidden.description
        }
        let word =
            switch request.consumptionRequest?.reason {
            case .unintendedPurchase: strings.refundsConsumptionUnintended
            case .fulfillmentIssue: strings.refundsConsumptionFulfillment
            case .unsatisfied: strings.refundsConsumptionUnsatisfied
            case .legal: strings.refundsConsumptionLegal
            case .other, nil: strings.refundsConsumptionOther
            }
        return word.description
    }

    /// Returns the store's decision about a case that it opened, in words.
    func decision(_ decision: RefundRequest.StoreDecision?) -> String {
        switch decision {
        case .refunded(let date): strings.refundsDecisionRefunded(when: moment(date))
        case .declined(let date): strings.refundsDecisionDeclined(when: moment(date))
        case nil: strings.refundsNoneYet.description
        }
    }

    func amount(_ money: Money) -> String { MoneyText(money, strings).withCurrency }

    /// "21 Nov 2026 10:37 UTC+8"
    func moment(_ date: Date) -> String { DateText.full(date, in: zone, strings) }

    /// The same for machines.
    func stamp(_ date: Date) -> DateText { DateText(date, in: zone, strings) }

    /// "2 h 10 min", "24 days"; never with seconds.
    func duration(_ seconds: TimeInterval) -> String {
        let minutes = Int(bounding: max(0, seconds) / 60)
        switch minutes {
        case 0: return strings.refundsSeconds.description
        case ..<60: return strings.refundsMinutes(minutes: String(minutes))
        case ..<(48 * 60): return strings.refundsHours(hours: String(minutes / 60), minutes: String(minutes % 60))
        case _: return strings.refundsDays(count: minutes / 1_440)
        }
    }

    func ago(_ date: Date) -> String { strings.refundsAgo(duration: duration(now.timeIntervalSince(date))) }

    /// "2 h 10 min left to respond to Apple", "expires in 24 days"; nil when nothing runs.
    func deadline(of request: RefundRequest, at store: Store) -> String? {
        guard request.refund.status.isOpen else { return nil }
        let name = StoreText.name(of: store, strings).description
        if let consumption = request.consumptionRequest, request.refund.status == .pending || consumption.dueAt > now {
            return consumption.dueAt > now
                ? strings.refundsLeftToAnswer(duration: duration(consumption.dueAt.timeIntervalSince(now)), store: name)
                : strings.refundsAnswerLate(store: name)
        }
        return request.expiresAt.map { end in
            end > now
                ? strings.refundsExpiresIn(duration: duration(end.timeIntervalSince(now)))
                : strings.refundsExpiresNow.description
        }
    }

    /// Returns true if somebody has to hurry: less than four hours are left to answer the store.
    func isUrgent(_ request: RefundRequest) -> Bool {
        guard request.refund.status == .pending, let consumption = request.consumptionRequest else { return false }
        return consumption.dueAt.timeIntervalSince(now) < 4 * 3_600
    }

    /// A person's name as the account has it now; else as it was, in words for stores and ourselves.
    func person(_ act: RefundRequest.Act, _ people: [Staff.ID: String]) -> String {
        if let staff = act.staff { return people[staff] ?? act.actor }
        return actor(act.actor)
    }

    func actor(_ name: String) -> String {
        if let store = Store.allCases.first(where: { $0.rawValue == name }) {
            return StoreText.name(of: store, strings).description
        }
        return name == "perennial" ? strings.refundsByProgram.description : name
    }

    func byAt(_ act: RefundRequest.Act?, _ people: [Staff.ID: String]) -> String? {
        act.map { strings.refundsByAt(person: person($0, people), when: moment($0.at)) }
    }

    /// "11 of 365 days"
    func used(of order: RefundableOrder) -> String {
        guard let end = order.periodEndsAt, end > order.periodStartsAt else {
            return strings.refundsEvidenceNoPeriod.description
        }
        guard end > now else { return strings.refundsEvidenceOver.description }
        let total = Int(bounding: (end.timeIntervalSince(order.periodStartsAt) / 86_400).rounded())
        // Days that a refund of the unused share counts as unused are not used.
        let unused = (end.timeIntervalSince(now) / 86_400).rounded()
        let used = Int(bounding: max(0, Double(total) - unused))
        return strings.refundsEvidenceUsedOf(total: strings.refundsDays(count: total), used: strings.number(used))
    }

    /// Returns the sentence on a bar to approving one's own request.
    func sentence(_ bar: SelfApprovalBar) -> String {
        switch bar {
        case .amount: strings.refundsOwnRequest.description
        case .order(let before, let limit):
            strings.refundsOwnRequestOrder(before: amount(before), limit: amount(limit))
        case .day(let before, let limit): strings.refundsOwnRequestDay(before: amount(before), limit: amount(limit))
        }
    }

    /// Returns the sentence that says why nothing can be requested.
    func sentence(_ rejection: RefundRefused, _ order: RefundableOrder) -> StaticString {
        switch rejection.code {
        case .notCharged: strings.refundsWhyNotCharged
        case .nothingLeft:
            order.held.minorUnits > 0
                ? strings.refundsWhyNotHeld : order.wentOn ? strings.refundsWhyNotCarried : strings.refundsWhyNotLeft
        case .noPeriod: strings.refundsWhyNoPeriod
        case .periodOver: strings.refundsWhyPeriodOver
        case .amountNotPositive, .aboveLeft, .aboveRequested, .otherCurrency, .ownRequest, .notConfirmed, .notPossible:
            strings.refundsWhyNotLeft
        }
    }
}

/// A status as a word with the class of dashboard.css that goes with it.
struct RefundStatusText: Sendable {
    var word: StaticString
    var shape: StaticString
}
