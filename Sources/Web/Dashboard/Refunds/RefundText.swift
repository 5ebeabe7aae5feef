import Billing
import Foundation
import Storage

/// Refund requests in words of one language, by one clock and one zone.
struct RefundText: Sendable {
    let words: Words
    let zone: BusinessZone
    let now: Date

    init(_ viewer: Viewer, now: Date) {
        words = viewer.words
        zone = viewer.zone
        self.now = now
    }

    func name(of kind: Refund.Kind) -> StaticString {
        switch kind {
        case .full: words.refundsKindFull
        case .partial: words.refundsKindPartial
        case .prorated: words.refundsKindProrated
        }
    }

    func name(of status: Refund.Status) -> StaticString {
        switch status {
        case .pending: words.refundsStatusPending
        case .approved: words.refundsStatusApproved
        case .processed: words.refundsStatusProcessed
        case .rejected: words.refundsStatusRejected
        case .cancelled: words.refundsStatusCancelled
        case .expired: words.refundsStatusExpired
        }
    }

    /// A status with its shape; what the store declined says so.
    func status(of request: RefundRequest) -> RefundStatusText {
        let word = request.storeDeclinedAt == nil ? name(of: request.refund.status) : words.refundsStatusDeclined
        let shape: StaticString =
            switch request.refund.status {
            case .pending: "pending"
            case .approved: "approved"
            case .processed: "processed"
            case .rejected: "rejected"
            case .cancelled: "cancelled"
            case .expired: "expired"
            }
        return RefundStatusText(word: word, shape: shape)
    }

    func amount(_ money: Money) -> String { MoneyText(money, words).withCurrency }

    /// "21 Nov 2026 10:37 UTC+8"
    func moment(_ date: Date) -> String { DateText.full(date, in: zone, words) }

    /// The same for machines.
    func stamp(_ date: Date) -> DateText { DateText(date, in: zone, words) }

    /// "2 h 10 min", "24 days"; never with seconds.
    func duration(_ seconds: TimeInterval) -> String {
        let minutes = Int(bounding: max(0, seconds) / 60)
        switch minutes {
        case 0: return words.refundsSeconds.description
        case ..<60: return words.refundsMinutes(minutes: String(minutes))
        case ..<(48 * 60): return words.refundsHours(hours: String(minutes / 60), minutes: String(minutes % 60))
        case _: return words.refundsDays(count: minutes / 1_440)
        }
    }

    func ago(_ date: Date) -> String { words.refundsAgo(duration: duration(now.timeIntervalSince(date))) }

    /// "2 h 10 min left to answer Apple", "expires in 24 days"; nil when nothing runs.
    func deadline(of request: RefundRequest, at store: Store) -> String? {
        guard request.refund.status.isOpen else { return nil }
        let name = StoreText.name(of: store, words).description
        if let question = request.question, request.refund.status == .pending || question.answerBy > now {
            return question.answerBy > now
                ? words.refundsLeftToAnswer(duration: duration(question.answerBy.timeIntervalSince(now)), store: name)
                : words.refundsAnswerLate(store: name)
        }
        return request.expiresAt.map { end in
            end > now
                ? words.refundsExpiresIn(duration: duration(end.timeIntervalSince(now)))
                : words.refundsExpiresNow.description
        }
    }

    /// Whether somebody has to hurry: less than four hours are left to answer the store.
    func isUrgent(_ request: RefundRequest) -> Bool {
        guard request.refund.status == .pending, let question = request.question else { return false }
        return question.answerBy.timeIntervalSince(now) < 4 * 3_600
    }

    /// A person's name as the account has it now; else as it was, in words for stores and ourselves.
    func person(_ act: RefundRequest.Act, _ people: [Staff.ID: String]) -> String {
        if let staff = act.staff { return people[staff] ?? act.actor }
        return actor(act.actor)
    }

    func actor(_ name: String) -> String {
        if let store = Store(rawValue: name) { return StoreText.name(of: store, words).description }
        return name == "perennial" ? words.refundsByProgram.description : name
    }

    func byAt(_ act: RefundRequest.Act?, _ people: [Staff.ID: String]) -> String? {
        act.map { words.refundsByAt(person: person($0, people), when: moment($0.at)) }
    }

    /// "11 of 365 days"
    func used(of order: RefundableOrder) -> String {
        guard let end = order.periodEndsAt, end > order.periodStartsAt else {
            return words.refundsEvidenceNoPeriod.description
        }
        guard end > now else { return words.refundsEvidenceOver.description }
        let total = Int(bounding: (end.timeIntervalSince(order.periodStartsAt) / 86_400).rounded())
        let used = Int(bounding: (max(0, now.timeIntervalSince(order.periodStartsAt)) / 86_400).rounded(.down))
        return words.refundsEvidenceUsedOf(total: words.refundsDays(count: total), used: words.number(used))
    }

    /// Why somebody may not approve what they asked for themselves.
    func sentence(_ bar: SelfApprovalBar) -> String {
        switch bar {
        case .amount: words.refundsOwnRequest.description
        case .order(let before, let limit):
            words.refundsOwnRequestOrder(before: amount(before), limit: amount(limit))
        case .day(let before, let limit): words.refundsOwnRequestDay(before: amount(before), limit: amount(limit))
        }
    }

    /// Why nothing can be requested, in words.
    func sentence(_ refusal: RefundRefused, _ order: RefundableOrder) -> StaticString {
        switch refusal.code {
        case .notCharged: words.refundsWhyNotCharged
        case .nothingLeft: order.held.minorUnits > 0 ? words.refundsWhyNotHeld : words.refundsWhyNotLeft
        case .noPeriod: words.refundsWhyNoPeriod
        case .periodOver: words.refundsWhyPeriodOver
        case .amountNotPositive, .aboveLeft, .aboveRequested, .otherCurrency, .ownRequest, .notConfirmed, .notPossible:
            words.refundsWhyNotLeft
        }
    }
}

/// A status as a word with the class of dashboard.css that goes with it.
struct RefundStatusText: Sendable {
    var word: StaticString
    var shape: StaticString
}
