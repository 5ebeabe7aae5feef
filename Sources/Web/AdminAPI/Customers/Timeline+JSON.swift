import APITypes
import Billing
import Foundation
import Storage

extension TimelineEvent {
    init(_ moment: Timeline.Moment, for reader: some PersonalDataReader) {
        self.init(id: moment.id, type: moment.what.apiType, createdAt: moment.at, recordedAt: moment.recordedAt)
        switch moment.what {
        case .event(let event): storeEvent = TimelineEvent.StoreEvent(event)
        case .charge(let charge): self.charge = TimelineEvent.Money(charge)
        case .movement(let movement): self.movement = TimelineEvent.Money(movement)
        case .staff(let action): staff = StaffAction(action, for: reader)
        case .firstSeen: break
        }
    }

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("type", type)
            json.field("createdAt", createdAt)
            json.field("recordedAt", recordedAt)
            if let storeEvent {
                json.name("storeEvent")
                storeEvent.write(to: &json)
            }
            if let charge {
                json.name("charge")
                charge.write(to: &json)
            }
            if let movement {
                json.name("movement")
                movement.write(to: &json)
            }
            if let staff {
                json.name("staff")
                staff.write(to: &json)
            }
        }
    }
}

extension TimelinePage {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("moments")
            json.array(moments) { json, moment in moment.write(to: &json) }
            json.field("next", next)
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
        }
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

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("subscriptionId", subscriptionId)
            json.field("source", source)
            json.field("kind", kind)
            json.field("statusBefore", statusBefore)
            json.field("statusAfter", statusAfter)
            json.field("rejectionReason", rejectionReason)
            json.field("productName", productName)
            json.field("expiresAt", expiresAt)
            json.field("notificationId", notificationId)
        }
    }
}

extension TimelineEvent.Money {
    fileprivate init(_ charge: Timeline.Charge) {
        self.init(
            orderNumber: charge.order,
            type: charge.kind.rawValue.uppercased(),
            status: charge.status.rawValue.uppercased(),
            source: charge.store.source,
            amount: Amount(Billing.Money(minorUnits: charge.amount, currency: charge.currency)),
            currency: charge.currency.code,
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

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("orderNumber", orderNumber)
            json.field("type", type)
            json.field("status", status)
            json.field("source", source)
            json.field("amount", amount)
            json.field("currency", currency)
            json.field("failureReason", failureReason)
        }
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

    fileprivate func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("actor", actor)
            json.field("role", role)
            json.field("action", action)
            json.field("objectType", objectType)
            json.field("objectId", objectId)
            json.field("before", before)
            json.field("after", after)
            json.field("reason", reason)
        }
    }
}
