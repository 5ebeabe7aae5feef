import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension TimelineEvent {
    init(_ moment: Timeline.Moment, for reader: some PersonalDataReader) {
        self.init(id: moment.id, type: moment.what.apiType, createdAt: moment.at, recordedAt: moment.recordedAt)
        switch moment.what {
        case .event(let event): storeEvent = TimelineEvent.StoreEvent(event)
        case .charge(let charge): self.charge = TimelineEvent.Money(charge)
        case .movement(let movement): self.movement = TimelineEvent.Money(movement)
        case .staff(let action): staff = StaffAction(action, for: reader)
        case .merger(let key): mergedKey = key
        case .verification(let sent): verification = TimelineEvent.Verification(sent)
        case .firstSeen, .consentRescinded, .trialStarted, .trialEnded, .expiryReminder: break
        }
    }
}

extension Timeline.What {
    fileprivate var apiType: String {
        switch self {
        case .event: "STORE_EVENT"
        case .charge: "CHARGE"
        case .movement: "MOVEMENT"
        case .staff: "STAFF"
        case .firstSeen: "FIRST_SEEN"
        case .merger: "MERGER"
        case .verification: "VERIFICATION"
        case .consentRescinded: "CONSENT_RESCINDED"
        case .trialStarted: "TRIAL_STARTED"
        case .trialEnded(let trial): trial.isConverted ? "TRIAL_CONVERTED" : "TRIAL_ENDED"
        case .expiryReminder: "EXPIRY_REMINDER"
        }
    }
}

extension TimelineEvent.Verification {
    fileprivate init(_ sent: Timeline.Verification) {
        self.init(
            form: sent.form.rawValue.uppercased(),
            status: sent.state.rawValue.uppercased(),
            problem: sent.problem
        )
    }
}

extension TimelineEvent.StoreEvent {
    fileprivate init(_ event: Timeline.Event) {
        self.init(
            subscriptionId: event.subscription.uuid,
            source: event.store.source,
            kind: event.kind.rawValue,
            statusBefore: event.before.rawValue.uppercased(),
            statusAfter: event.after.rawValue.uppercased(),
            rejectionReason: event.rejectionReason,
            productName: event.productName,
            expiresAt: event.expiresAt,
            notificationId: event.notification
        )
    }
}

extension Timeline.Charge {
    /// nil while the store has not said what was charged.
    fileprivate var money: Billing.Money? {
        guard let amount, let currency else { return nil }
        return Billing.Money(minorUnits: amount, currency: currency)
    }
}

extension TimelineEvent.Money {
    fileprivate init(_ charge: Timeline.Charge) {
        self.init(
            orderNumber: charge.order,
            type: charge.kind.rawValue.uppercased(),
            status: charge.status.rawValue.uppercased(),
            source: charge.store.source,
            amount: charge.money.map(Amount.init),
            currency: charge.currency?.code,
            failureReason: nil
        )
    }

    fileprivate init(_ movement: Timeline.Movement) {
        self.init(
            orderNumber: movement.order,
            type: movement.kind.rawValue.uppercased(),
            status: movement.status.rawValue.uppercased(),
            source: movement.store.source,
            amount: Amount(Billing.Money(minorUnits: movement.amount, currency: movement.currency)),
            currency: movement.currency.code,
            failureReason: movement.failureReason
        )
    }
}

extension TimelineEvent.StaffAction {
    fileprivate init(_ action: Timeline.Action, for reader: some PersonalDataReader) {
        self.init(
            actor: action.actor,
            role: action.role?.rawValue.uppercased(),
            action: action.action,
            objectType: action.objectType,
            objectId: action.objectID,
            before: JSONValue(text: action.before?.shown(to: reader)),
            after: JSONValue(text: action.after?.shown(to: reader)),
            reason: action.reason?.shown(to: reader)
        )
    }
}
