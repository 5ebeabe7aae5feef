import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// One moment of a customer's timeline in words.
struct TimelineText: Sendable {
    /// The actor: "Apple", "mei@example.com (support)", "Perennial".
    var actor: String
    /// `store`, `staff` or `system`: distinguishes actors without colour, as a word next to the mark.
    var kind: StaticString
    var kindWord: StaticString
    var isBad: Bool
    var title: String
    var href: String?
    var money: MoneyText?
    /// The details: product, order, reason.
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
        let strings = viewer.strings
        happened = DateText(moment.at, in: viewer.zone, strings, showsSeconds: true)
        recorded = moment.recordedAt.map { DateText($0, in: viewer.zone, strings, showsSeconds: true) }
        (isBad, isChange, changes) = (false, false, [])
        switch moment.what {
        case .event(let event):
            actor = event.isByClock ? "Perennial" : StoreText.name(of: event.store, strings).description
            (kind, kindWord) =
                event.isByClock ? ("system", strings.timelineActorSystem) : ("store", strings.timelineActorStore)
            isBad = EventText.isBad(event.kind) || event.rejectionReason != nil
            title = EventText.title(of: event.kind, strings).description
            href =
                event.notification.map { DashboardPath.notification($0, from: back) }
                ?? DashboardPath.subscription(event.subscription, from: back)
            let until = event.expiresAt.map { strings.timelineUntil(day: DateText.day($0, in: viewer.zone, strings)) }
            let rejectionReason = event.rejectionReason.map { strings.timelineNotApplied(reason: $0) }
            why = Self.list([event.productName, until, rejectionReason], strings)
            (before, after) = (StatusText(event.before, strings), StatusText(event.after, strings))
            isChange = event.before != event.after
            payload = event.payload.shown(to: viewer).flatMap { $0.isEmpty ? nil : MaskedJSON.text($0) }
        case .charge(let charge):
            actor = StoreText.name(of: charge.store, strings).description
            (kind, kindWord) = ("store", strings.timelineActorStore)
            isBad = charge.status == .failed
            title = Self.title(of: charge, strings)
            href = DashboardPath.order(charge.order, from: back)
            money = MoneyText(charge.amount, charge.currency, strings)
            let place = charge.environment == .sandbox ? strings.partsSandbox.description : nil
            let until = charge.event?.expiresAt.map {
                strings.timelineUntil(day: DateText.day($0, in: viewer.zone, strings))
            }
            why = Self.list([charge.order, charge.productName, until, place], strings)
            if let event = charge.event {
                (before, after) = (StatusText(event.before, strings), StatusText(event.after, strings))
                isChange = event.before != event.after
                payload = event.payload.shown(to: viewer).flatMap { $0.isEmpty ? nil : MaskedJSON.text($0) }
            }
        case .movement(let movement):
            let isOurs = movement.notification == nil
            actor = isOurs ? "Perennial" : StoreText.name(of: movement.store, strings).description
            (kind, kindWord) = isOurs ? ("system", strings.timelineActorSystem) : ("store", strings.timelineActorStore)
            isBad = movement.kind == .refund || movement.kind == .revoke
            title = StoreText.name(of: movement.kind, strings).description
            href = DashboardPath.order(movement.order, from: back)
            money = MoneyText(movement.amount, movement.currency, strings, showsPlus: true)
            let status = movement.status == .success ? nil : StatusText(movement.status, strings).within.description
            why = Self.list([movement.order, status, movement.failureReason], strings)
        case .staff(let action):
            actor =
                action.role.map {
                    strings.timelineActorRole(actor: action.actor, role: strings.name(of: $0).description)
                } ?? ActionText.actor(action.actor, role: nil, strings)
            (kind, kindWord) =
                action.role == nil ? ("system", strings.timelineActorSystem) : ("staff", strings.timelineActorStaff)
            let text = TimelineActionText(moment, action, viewer)
            title = text.title
            href = viewer.may(.viewAudit) ? DashboardPath.auditEntry(moment.id, from: back) : nil
            why = text.reason.map { strings.partsQuoted(text: $0) }
            changes = text.changes
        case .merger(let key):
            actor = "Perennial"
            (kind, kindWord) = ("system", strings.timelineActorSystem)
            title = strings.timelineMerged.description
            why = key
        case .verification(let sent):
            actor = "Perennial"
            (kind, kindWord) = ("system", strings.timelineActorSystem)
            isBad = sent.state == .rejected
            title = VerificationText.title(of: sent.state, strings).description
            why = Self.list([VerificationText.name(of: sent.form, strings).description, sent.problem], strings)
        case .firstSeen:
            actor = "Perennial"
            (kind, kindWord) = ("system", strings.timelineActorSystem)
            title = strings.timelineFirstSeen.description
        case .consentRescinded:
            actor = StoreText.name(of: .apple, strings).description
            (kind, kindWord) = ("store", strings.timelineActorStore)
            isBad = true
            title = strings.timelineConsentRescinded.description
        case .trialStarted(let trial):
            actor = "Perennial"
            (kind, kindWord) = ("system", strings.timelineActorSystem)
            isChange = true
            title = strings.timelineTrialStarted.description
            let until = strings.timelineUntil(day: DateText.day(trial.endsAt, in: viewer.zone, strings))
            why = Self.list([trial.planName, until], strings)
        case .trialEnded(let trial):
            actor = "Perennial"
            (kind, kindWord) = ("system", strings.timelineActorSystem)
            isChange = true
            title = (trial.isConverted ? strings.timelineTrialConverted : strings.timelineTrialEnded).description
            let other = trial.isSuperseded ? strings.timelineTrialSuperseded.description : nil
            why = Self.list([trial.planName, other], strings)
        case .expiryReminder(let reminder):
            actor = "Perennial"
            (kind, kindWord) = ("system", strings.timelineActorSystem)
            title = strings.timelineEndsSoon(count: reminder.days).description
            let until = strings.timelineUntil(day: DateText.day(reminder.endsAt, in: viewer.zone, strings))
            why = Self.list([reminder.productName, until], strings)
        }
        if recorded?.iso == happened.iso { recorded = nil }
        clocks = recorded.map { [actor, happened] in
            strings.timelineClocks(
                actor: actor,
                happened: "\(happened.day) \(happened.clock)",
                recorded: "\($0.day) \($0.clock)"
            )
        }
        hasDetails = recorded != nil || payload != nil || !changes.isEmpty
    }

    private static func list(_ parts: [String?], _ strings: Strings) -> String? {
        let parts = parts.compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : strings.list(parts)
    }

    private static func title(of charge: Timeline.Charge, _ strings: Strings) -> String {
        let kind = StoreText.name(of: charge.kind, strings).description
        switch charge.status {
        case .completed, .partiallyRefunded, .refunded, .superseded: return strings.timelineCharged(kind: kind)
        case .pending: return strings.timelinePending(kind: kind)
        case .failed: return strings.timelineFailed(kind: kind)
        case .cancelled: return strings.timelineCancelled(kind: kind)
        }
    }
}
