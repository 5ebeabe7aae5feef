import Billing
import Foundation
import Operations
import Storage

/// One moment of a customer's timeline in words.
struct TimelineText: Sendable {
    /// Who: "Apple", "mei@example.com (support)", "Perennial".
    var actor: String
    /// `store`, `staff` or `system`: tells actors apart without colour, as a word beside the mark.
    var kind: StaticString
    var kindWord: StaticString
    var isBad: Bool
    var title: String
    var href: String?
    var money: MoneyText?
    /// What it is about: product, reason.
    var why: String?
    var isChange: Bool
    var before: StatusText?
    var after: StatusText?
    var changes: [Change]
    var happened: DateText
    var recorded: DateText?
    /// Both clocks, where they differ.
    var clocks: String?
    var payload: String?
    var hasDetails: Bool

    /// A field before and after, of what staff did.
    struct Change: Sendable {
        var field: String
        var before: String
        var after: String
    }

    /// - Parameter back: the address of the page that it stands on, for the way back from its links.
    init(_ moment: Timeline.Moment, back: String, viewer: Viewer) {
        let words = viewer.words
        happened = DateText(moment.at, in: viewer.zone, words, showsSeconds: true)
        recorded = moment.recordedAt.map { DateText($0, in: viewer.zone, words, showsSeconds: true) }
        (isBad, isChange, changes) = (false, false, [])
        switch moment.what {
        case .event(let event):
            actor = StoreText.name(of: event.store, words).description
            (kind, kindWord) = ("store", words.timelineActorStore)
            isBad = EventText.isBad(event.kind) || event.refusal != nil
            title = EventText.title(of: event.kind, words).description
            href =
                event.notification.map { DashboardPath.notification($0, from: back) }
                ?? DashboardPath.subscription(event.subscription, from: back)
            let until = event.expiresAt.map { words.timelineUntil(day: DateText.day($0, in: viewer.zone, words)) }
            let refusal = event.refusal.map { words.timelineNotApplied(reason: $0) }
            why = Self.list([event.productName, until, refusal], words)
            (before, after) = (StatusText(event.before, words), StatusText(event.after, words))
            isChange = event.before != event.after
            payload = event.payload.shown(to: viewer).flatMap { $0.isEmpty ? nil : MaskedJSON.text($0) }
        case .charge(let charge):
            actor = StoreText.name(of: charge.store, words).description
            (kind, kindWord) = ("store", words.timelineActorStore)
            isBad = charge.status == .failed
            title = Self.title(of: charge, words)
            href = DashboardPath.order(charge.order, from: back)
            money = MoneyText(charge.amount, charge.currency, words)
            let place = charge.environment == .sandbox ? words.partsSandbox.description : nil
            why = Self.list([charge.order, charge.productName, place], words)
        case .movement(let movement):
            let isOurs = movement.notification == nil
            actor = isOurs ? "Perennial" : StoreText.name(of: movement.store, words).description
            (kind, kindWord) = isOurs ? ("system", words.timelineActorSystem) : ("store", words.timelineActorStore)
            isBad = movement.kind != .refundReversal
            title = StoreText.name(of: movement.kind, words).description
            href = DashboardPath.order(movement.order, from: back)
            money = MoneyText(movement.amount, movement.currency, words, showsPlus: true)
            let status = movement.status == .success ? nil : StatusText(movement.status, words).within.description
            why = Self.list([movement.order, status, movement.failureReason], words)
        case .staff(let action):
            actor =
                action.role.map {
                    words.timelineActorRole(actor: action.actor, role: words.name(of: $0).description)
                } ?? action.actor
            (kind, kindWord) =
                action.role == nil ? ("system", words.timelineActorSystem) : ("staff", words.timelineActorStaff)
            title = ActionText.title(of: action.action, words)
            href = viewer.may(.viewAudit) ? DashboardPath.auditEntry(moment.id, from: back) : nil
            why = action.reason?.shown(to: viewer).map { words.partsQuoted(text: ActionText.reason($0, words)) }
            changes = Self.changes(action, viewer)
        case .firstSeen:
            actor = "Perennial"
            (kind, kindWord) = ("system", words.timelineActorSystem)
            title = words.timelineFirstSeen.description
        }
        if recorded?.iso == happened.iso { recorded = nil }
        clocks = recorded.map { [actor, happened] in
            words.timelineClocks(
                actor: actor,
                happened: "\(happened.day) \(happened.clock)",
                recorded: "\($0.day) \($0.clock)"
            )
        }
        hasDetails = recorded != nil || payload != nil || !changes.isEmpty
    }

    private static func list(_ parts: [String?], _ words: Words) -> String? {
        let parts = parts.compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : words.list(parts)
    }

    private static func title(of charge: Timeline.Charge, _ words: Words) -> String {
        let kind = StoreText.name(of: charge.kind, words).description
        switch charge.status {
        case .completed, .partiallyRefunded, .refunded: return words.timelineCharged(kind: kind)
        case .pending: return words.timelinePending(kind: kind)
        case .failed: return words.timelineFailed(kind: kind)
        case .cancelled: return words.timelineCancelled(kind: kind)
        }
    }

    private static func changes(_ action: Timeline.Action, _ viewer: Viewer) -> [Change] {
        let before = MaskedJSON.members(action.before?.shown(to: viewer))
        let after = MaskedJSON.members(action.after?.shown(to: viewer))
        let none = viewer.words.partsNone.description
        return Set(before.keys).union(after.keys).sorted().compactMap { field in
            guard before[field] != after[field] else { return nil }
            return Change(field: field, before: before[field] ?? none, after: after[field] ?? none)
        }
    }
}
