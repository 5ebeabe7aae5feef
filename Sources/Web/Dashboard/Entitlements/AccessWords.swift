import Billing
import Foundation
import Operations
import Storage

/// What staff do for a customer, in words.
enum AccessWords {
    static func button(of deed: AccessAction, _ words: Words) -> String {
        let text: StaticString =
            switch deed {
            case .grants: words.accessDoGrant
            case .extensions: words.accessDoExtend
            case .revocations: words.accessDoRevoke
            case .restorations: words.accessDoRestore
            case .planChanges: words.accessDoChangePlan
            case .transfers: words.accessDoTransfer
            case .cancellations: words.accessDoCancel
            case .undoings: words.accessDoUndo
            }
        return String(text)
    }

    static func title(of deed: AccessAction, _ known: AccessCase, _ viewer: Viewer) -> String {
        let (person, words) = (known.person.shown(to: viewer), viewer.words)
        return switch deed {
        case .grants: words.accessFormGrant(person: person)
        case .extensions: words.accessFormExtend(person: person)
        case .revocations: words.accessFormRevoke(person: person)
        case .restorations: words.accessFormRestore(person: person)
        case .planChanges: words.accessFormChangePlan(person: person)
        case .transfers: words.accessFormTransfer(person: person)
        case .cancellations: words.accessFormCancel(person: person)
        case .undoings: words.accessAskUndo(person: person)
        }
    }

    static func question(of form: AccessForm, _ known: AccessCase, _ viewer: Viewer) -> String {
        let (person, words) = (known.person.shown(to: viewer), viewer.words)
        return switch form.deed {
        case .grants: words.accessAskGrant(person: person, plan: form.plan)
        case .extensions: words.accessAskExtend(count: Int(form.days) ?? 0, person: person)
        case .revocations: words.accessAskRevoke(person: person)
        case .restorations: words.accessAskRestore(person: person)
        case .planChanges: words.accessAskChangePlan(person: person, plan: form.plan)
        case .transfers: words.accessAskTransfer(person: person, receiver: form.receiver)
        case .cancellations: words.accessAskCancel(person: person)
        case .undoings: words.accessAskUndo(person: person)
        }
    }

    static func submit(_ form: AccessForm, _ words: Words) -> String {
        switch form.deed {
        case .grants: words.accessSubmitGrant(plan: form.plan)
        case .extensions: words.accessSubmitExtend(count: Int(form.days) ?? 0)
        case .revocations: String(words.accessSubmitRevoke)
        case .restorations: String(words.accessSubmitRestore)
        case .planChanges: words.accessSubmitChangePlan(plan: form.plan)
        case .transfers: String(words.accessSubmitTransfer)
        case .cancellations: String(words.accessSubmitCancel)
        case .undoings: String(words.accessSubmitUndo)
        }
    }

    /// What a deed can be about: what runs, or for a restoration what was revoked.
    static func subjects(of deed: AccessAction, _ known: AccessCase, _ viewer: Viewer) -> [FormField.Option] {
        let (words, now) = (viewer.words, known.now)
        let subscriptions = known.held.subscriptions.filter { held in
            switch deed {
            case .restorations: held.suspendedAt != nil
            case .transfers: true
            case .grants, .extensions, .revocations, .planChanges, .cancellations, .undoings: held.hasAccess(at: now)
            }
        }
        let grants = known.held.grants.filter { grant in
            switch deed {
            case .restorations: grant.endedAt != nil && (grant.endsAt.map { $0 > now } ?? true)
            case .transfers: false
            case .grants, .extensions, .revocations, .planChanges, .cancellations, .undoings: grant.isLive(at: now)
            }
        }
        return subscriptions.map { held in
            FormField.Option(
                value: Entitlement.Source.subscription(held.id).formValue,
                label: words.accessSubjectSubscription(
                    plan: held.plan.code,
                    store: String(StoreText.name(of: held.store, words))
                ),
                detail: held.subscription.accessEndsAt.map { DateText.full($0, in: viewer.zone, viewer.words) }
            )
        }
            + grants.map { grant in
                FormField.Option(
                    value: Entitlement.Source.grant(grant.id).formValue,
                    label: words.accessSubjectGrant(plan: grant.plan.code),
                    detail: span(grant.plan.code, grant.startsAt, grant.endsAt, viewer)
                )
            }
    }

    static func name(of field: FieldChange.Field, _ words: Words) -> String {
        let text: StaticString =
            switch field {
            case .plan: words.accessFactPlan
            case .until: words.accessFactUntil
            case .source: words.accessFactSource
            case .next: words.accessFactNext
            case .grant: words.accessFactGrant
            case .subscription: words.accessFactSubscription
            case .holder: words.accessFactHolder
            case .receiverPlan: words.accessFactReceiverPlan
            }
        return String(text)
    }

    static func text(_ value: FieldChange.Value, _ viewer: Viewer) -> String {
        let (words, zone) = (viewer.words, viewer.zone)
        return switch value {
        case .none: String(words.accessValueNone)
        case .plan(let code): code
        case .moment(let date): DateText.full(date, in: zone, words)
        case .noEnd: String(words.accessValueNoEnd)
        case .store(let store): String(StoreText.name(of: store, words))
        case .given: String(words.accessValueGrant)
        case .from(let date, let plan?): words.accessValueFrom(plan: plan, when: DateText.full(date, in: zone, words))
        case .from(let date, nil): words.accessValueNothingFrom(when: DateText.full(date, in: zone, words))
        case .renewal(let date): words.accessValueRenewal(when: DateText.full(date, in: zone, words))
        case .span(let plan, let start, let end): span(plan, start, end, viewer)
        case .ended(let date): words.accessValueEnded(when: DateText.full(date, in: zone, words))
        case .counts: String(words.accessValueCounts)
        case .suspended: String(words.accessValueSuspended)
        case .customer(let id): id.description
        }
    }

    private static func span(_ plan: String, _ start: Date, _ end: Date?, _ viewer: Viewer) -> String {
        viewer.words.accessValueSpan(
            end: end.map { DateText.full($0, in: viewer.zone, viewer.words) } ?? String(viewer.words.accessValueNoEnd),
            plan: plan,
            start: DateText.full(start, in: viewer.zone, viewer.words)
        )
    }

    static func howToCancel(at store: Store, _ words: Words) -> String {
        let text: StaticString =
            switch store {
            case .apple: words.accessCancelApple
            case .google: words.accessCancelGoogle
            case .wechat: words.accessCancelWechat
            case .alipay: words.accessCancelAlipay
            }
        return String(text)
    }

    static func refusal(_ error: OperationsError, _ words: Words) -> String {
        (error.underlying as? ActionRefused).map { text(of: $0, words) } ?? error.message
    }

    static func text(of refused: ActionRefused, _ words: Words) -> String {
        if refused.code == .aboveLimit { return words.accessRefusalLimit(days: words.number(refused.days ?? 0)) }
        if refused.code == .onlyAtStore, let store = refused.store { return howToCancel(at: store, words) }
        return text(of: refused.code, words)
    }

    static func text(of code: ActionRefused.Code, _ words: Words) -> String {
        let text: StaticString =
            switch code {
            case .planIsFree: words.accessRefusalFree
            case .changesNothing: words.accessRefusalNothing
            case .daysOutOfRange: words.accessRefusalDays
            case .endOutOfRange: words.accessRefusalEnd
            case .aboveLimit: words.accessRefusalAbove
            case .nothingRuns: words.accessRefusalNothingRuns
            case .notHeld: words.accessRefusalNotHeld
            case .hasNoEnd: words.accessRefusalNoEnd
            case .isOver: words.accessRefusalOver
            case .alreadyRevoked: words.accessRefusalRevoked
            case .notRevoked: words.accessRefusalNotRevoked
            case .notAbovePaid: words.accessRefusalNotAbove
            case .samePlan: words.accessRefusalSamePlan
            case .sameCustomer: words.accessRefusalSameCustomer
            case .onlyAtStore: words.accessRefusalOnlyAtStore
            case .nothingFollows: words.accessRefusalNothingFollows
            case .changedSince: words.accessRefusalChanged
            }
        return String(text)
    }

    /// What was just done.
    static func done(_ action: String, _ words: Words) -> String? {
        let kind = EntitlementActionRecord.Kind.allCases.first { $0.auditAction == action }
        guard let kind else { return nil }
        let text: StaticString =
            switch kind {
            case .grant: words.accessDoneGrant
            case .extend: words.accessDoneExtend
            case .revoke: words.accessDoneRevoke
            case .restore: words.accessDoneRestore
            case .changeTier: words.accessDoneChangePlan
            case .transfer: words.accessDoneTransfer
            case .cancel: words.accessDoneCancel
            case .undo: words.accessDoneUndo
            }
        return String(text)
    }
}
