import Billing
import Foundation
import HTTP
import Operations
import Storage
import Words

/// The actions of staff on a customer's access, in words.
enum EntitlementActionText {
    static func button(of action: AccessAction, _ strings: Strings) -> String {
        let text: StaticString =
            switch action {
            case .grants: strings.accessDoGrant
            case .extensions: strings.accessDoExtend
            case .revocations: strings.accessDoRevoke
            case .restorations: strings.accessDoRestore
            case .planChanges: strings.accessDoChangePlan
            case .transfers: strings.accessDoTransfer
            case .cancellations: strings.accessDoCancel
            case .undoings: strings.accessDoUndo
            }
        return String(text)
    }

    static func title(of action: AccessAction, _ known: AccessCase, _ viewer: Viewer) -> String {
        let (person, strings) = (known.person.shown(to: viewer), viewer.strings)
        return switch action {
        case .grants: strings.accessFormGrant(person: person)
        case .extensions: strings.accessFormExtend(person: person)
        case .revocations: strings.accessFormRevoke(person: person)
        case .restorations: strings.accessFormRestore(person: person)
        case .planChanges: strings.accessFormChangePlan(person: person)
        case .transfers: strings.accessFormTransfer(person: person)
        case .cancellations: strings.accessFormCancel(person: person)
        case .undoings: strings.accessAskUndo(person: person)
        }
    }

    static func question(of form: AccessForm, _ known: AccessCase, _ viewer: Viewer) -> String {
        let (person, strings) = (known.person.shown(to: viewer), viewer.strings)
        return switch form.action {
        case .grants: strings.accessAskGrant(person: person, plan: form.plan)
        case .extensions: strings.accessAskExtend(count: Int(form.days) ?? 0, person: person)
        case .revocations: strings.accessAskRevoke(person: person)
        case .restorations: strings.accessAskRestore(person: person)
        case .planChanges: strings.accessAskChangePlan(person: person, plan: form.plan)
        case .transfers: strings.accessAskTransfer(person: person, receiver: form.receiver)
        case .cancellations: strings.accessAskCancel(person: person)
        case .undoings: strings.accessAskUndo(person: person)
        }
    }

    static func submit(_ form: AccessForm, _ strings: Strings) -> String {
        switch form.action {
        case .grants: strings.accessSubmitGrant(plan: form.plan)
        case .extensions: strings.accessSubmitExtend(count: Int(form.days) ?? 0)
        case .revocations: String(strings.accessSubmitRevoke)
        case .restorations: String(strings.accessSubmitRestore)
        case .planChanges: strings.accessSubmitChangePlan(plan: form.plan)
        case .transfers: String(strings.accessSubmitTransfer)
        case .cancellations: String(strings.accessSubmitCancel)
        case .undoings: String(strings.accessSubmitUndo)
        }
    }

    /// Returns the sources that an action can be about: those that run, or for a restoration those that were revoked.
    static func subjects(of action: AccessAction, _ known: AccessCase, _ viewer: Viewer) -> [FormField.Option] {
        let (strings, now) = (viewer.strings, known.now)
        let subscriptions = known.held.subscriptions.filter { held in
            // The group decides about its seats.
            guard held.seat == nil else { return false }
            return switch action {
            case .restorations: held.suspendedAt != nil
            case .transfers: true
            // Only the customer can, at the store.
            case .cancellations: false
            case .grants, .extensions, .revocations, .planChanges, .undoings: held.isLive(at: now)
            }
        }
        let grants = known.held.grants.filter { grant in
            switch action {
            case .restorations: grant.endedAt != nil && (grant.endsAt.map { $0 > now } ?? true)
            case .transfers: false
            case .grants, .extensions, .revocations, .planChanges, .cancellations, .undoings: grant.isLive(at: now)
            }
        }
        return subscriptions.map { held in
            FormField.Option(
                value: Entitlement.Source.subscription(held.id).formValue,
                label: strings.accessSubjectSubscription(
                    plan: held.plan.code,
                    store: String(StoreText.name(of: held.store, strings))
                ),
                detail: held.subscription.accessEndsAt.map { DateText.full($0, in: viewer.zone, viewer.strings) }
            )
        }
            + grants.map { grant in
                FormField.Option(
                    value: Entitlement.Source.grant(grant.id).formValue,
                    label: strings.accessSubjectGrant(plan: grant.plan.code),
                    detail: span(grant.plan.code, grant.startsAt, grant.endsAt, viewer)
                )
            }
    }

    static func name(of field: FieldChange.Field, _ strings: Strings) -> String {
        let text: StaticString =
            switch field {
            case .plan: strings.accessFactPlan
            case .until: strings.accessFactUntil
            case .source: strings.accessFactSource
            case .next: strings.accessFactNext
            case .grant: strings.accessFactGrant
            case .subscription: strings.accessFactSubscription
            case .holder: strings.accessFactHolder
            case .receiverPlan: strings.accessFactReceiverPlan
            }
        return String(text)
    }

    static func text(_ value: FieldChange.Value, _ viewer: Viewer) -> String {
        let (strings, zone) = (viewer.strings, viewer.zone)
        return switch value {
        case .none: String(strings.accessValueNone)
        case .plan(let code): code
        case .moment(let date): DateText.full(date, in: zone, strings)
        case .noEnd: String(strings.accessValueNoEnd)
        case .store(let store): String(StoreText.name(of: store, strings))
        case .given: String(strings.accessValueGrant)
        case .from(let date, let plan?):
            strings.accessValueFrom(plan: plan, when: DateText.full(date, in: zone, strings))
        case .from(let date, nil): strings.accessValueNothingFrom(when: DateText.full(date, in: zone, strings))
        case .renewal(let date): strings.accessValueRenewal(when: DateText.full(date, in: zone, strings))
        case .span(let plan, let start, let end): span(plan, start, end, viewer)
        case .ended(let date): strings.accessValueEnded(when: DateText.full(date, in: zone, strings))
        case .counts: String(strings.accessValueCounts)
        case .suspended: String(strings.accessValueSuspended)
        case .customer(let id): id.description
        }
    }

    private static func span(_ plan: String, _ start: Date, _ end: Date?, _ viewer: Viewer) -> String {
        viewer.strings.accessValueSpan(
            end: end.map { DateText.full($0, in: viewer.zone, viewer.strings) }
                ?? String(viewer.strings.accessValueNoEnd),
            plan: plan,
            start: DateText.full(start, in: viewer.zone, viewer.strings)
        )
    }

    static func howToCancel(at store: Store, _ strings: Strings) -> String {
        let text: StaticString =
            switch store {
            case .apple: strings.accessCancelApple
            case .google: strings.accessCancelGoogle
            case .wechat: strings.accessCancelWechat
            case .alipay: strings.accessCancelAlipay
            default: strings.accessCancelOther
            }
        return String(text)
    }

    static func rejection(_ error: OperationsError, _ strings: Strings) -> String {
        (error.underlying as? ActionRefused).map { text(of: $0, strings) } ?? error.message
    }

    static func text(of refused: ActionRefused, _ strings: Strings) -> String {
        if refused.code == .aboveLimit { return strings.accessRejectionLimit(days: strings.number(refused.days ?? 0)) }
        if refused.code == .onlyAtStore, let store = refused.store { return howToCancel(at: store, strings) }
        return strings.sentence(of: refused.code).description
    }

    /// Returns the sentence on the action that was just done.
    static func done(_ action: String, _ strings: Strings) -> String? {
        let kind = EntitlementActionRecord.Kind.allCases.first { $0.auditAction.rawValue == action }
        guard let kind else { return nil }
        let text: StaticString =
            switch kind {
            case .grant: strings.accessDoneGrant
            case .extend: strings.accessDoneExtend
            case .revoke: strings.accessDoneRevoke
            case .restore: strings.accessDoneRestore
            case .changeTier: strings.accessDoneChangePlan
            case .transfer: strings.accessDoneTransfer
            case .cancel: strings.accessDoneCancel
            case .undo: strings.accessDoneUndo
            }
        return String(text)
    }
}
