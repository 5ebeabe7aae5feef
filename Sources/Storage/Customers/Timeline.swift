package import Billing
package import Foundation

/// Everything that happened to a customer, newest first.
package enum Timeline {
    /// The filter and the page of a timeline.
    package struct Filter: ListFilter, Hashable {
        package var part: Part
        package var position: PagePosition

        package init(part: Part = .all, position: PagePosition = .first) {
            self.part = part
            self.position = position
        }

        package func cursor(at row: Moment, rowsBefore: Int) -> PageCursor {
            PageCursor(kind: .timeline, date: row.at, id: row.id, rowsBefore: rowsBefore)
        }
    }

    package enum Part: String, Hashable, Sendable, CaseIterable {
        case all
        /// Charges, refunds, credits of upgrades, and what took them back.
        case money
        /// Changes of a subscription's state, and access that staff granted or revoked.
        case access
        /// Actions of staff.
        case staff
    }

    package struct Moment: Sendable {
        package var id: UUID
        /// The time of the event, by the clock of the store or of our server.
        package var at: Date
        /// The time at which we recorded it, where that differs.
        package var recordedAt: Date?
        package var what: What

        package init(id: UUID, at: Date, recordedAt: Date? = nil, what: What) {
            self.id = id
            self.at = at
            self.recordedAt = recordedAt
            self.what = what
        }
    }

    package enum What: Sendable {
        /// A store said something about a subscription.
        case event(Event)
        case charge(Charge)
        case movement(Movement)
        case staff(Action)
        case firstSeen
        /// Another record turned out to be of the same customer.
        ///
        /// - Parameter key: the key of that record.
        case merger(key: String)
        case verification(Verification)
        /// A parent withdrew the consent to the use of the app.
        case consentRescinded
        /// The app gave a trial.
        case trialStarted(Trial)
        /// It is over: its time, the customer's purchase or staff ended it.
        case trialEnded(Trial)
        /// A subscription that cannot renew by itself ends soon.
        case expiryReminder(Reminder)
    }

    package struct Reminder: Sendable {
        package var productName: String?
        /// The days left when it was written.
        package var days: Int
        package var endsAt: Date

        package init(productName: String?, days: Int, endsAt: Date) {
            (self.productName, self.days, self.endsAt) = (productName, days, endsAt)
        }
    }

    package struct Trial: Sendable {
        package var planName: String
        package var endsAt: Date
        /// The customer bought during it.
        package var isConverted: Bool
        /// Another trial of the same person took its place.
        package var isSuperseded: Bool

        package init(planName: String, endsAt: Date, isConverted: Bool, isSuperseded: Bool) {
            (self.planName, self.endsAt) = (planName, endsAt)
            (self.isConverted, self.isSuperseded) = (isConverted, isSuperseded)
        }
    }

    package struct Event: Sendable {
        package var subscription: Subscription.ID
        package var store: Store
        package var kind: StoreEvent.Kind
        package var before: Subscription.State
        package var after: Subscription.State
        /// The reason why the rules did not apply it.
        package var rejectionReason: String?
        package var productName: String?
        /// The end of the period that it is about.
        package var expiresAt: Date?
        package var notification: UUID?
        /// No store told of it: time alone brought it.
        package var isByClock: Bool
        /// The typed fact as JSON; empty for those who may not read it.
        package var payload: Personal<String>

        package init(
            subscription: Subscription.ID,
            store: Store,
            kind: StoreEvent.Kind,
            before: Subscription.State,
            after: Subscription.State,
            rejectionReason: String? = nil,
            productName: String? = nil,
            expiresAt: Date? = nil,
            notification: UUID? = nil,
            isByClock: Bool = false,
            payload: Personal<String> = ""
        ) {
            self.subscription = subscription
            self.store = store
            self.kind = kind
            self.before = before
            self.after = after
            self.rejectionReason = rejectionReason
            self.productName = productName
            self.expiresAt = expiresAt
            self.notification = notification
            self.isByClock = isByClock
            self.payload = payload
        }
    }

    /// An app sent a proof of purchase.
    package struct Verification: Sendable {
        package var form: PurchaseProof.Form
        package var state: PurchaseVerification.State
        /// The reason for the rejection, or for the wait.
        package var problem: String?

        package init(form: PurchaseProof.Form, state: PurchaseVerification.State, problem: String? = nil) {
            self.form = form
            self.state = state
            self.problem = problem
        }
    }

    package struct Charge: Sendable {
        package var order: String
        package var kind: LedgerEntry.Kind
        package var status: OrderStatus
        package var store: Store
        package var environment: StoreEnvironment
        package var productName: String
        /// nil, as its currency, while the store has not said what was charged.
        package var amount: Int64?
        package var currency: Currency?
        /// The event that told of it, and what it changed; nil where none did.
        package var event: Event?

        package init(
            order: String,
            kind: LedgerEntry.Kind,
            status: OrderStatus,
            store: Store,
            environment: StoreEnvironment,
            productName: String,
            amount: Int64?,
            currency: Currency?
        ) {
            self.order = order
            self.kind = kind
            self.status = status
            self.store = store
            self.environment = environment
            self.productName = productName
            self.amount = amount
            self.currency = currency
        }
    }

    /// An entry of the ledger that is no charge.
    package struct Movement: Sendable {
        package var order: String
        package var kind: LedgerEntry.Kind
        package var status: OrderDetails.EntryStatus
        package var store: Store
        package var amount: Int64
        package var currency: Currency
        package var notification: UUID?
        package var failureReason: String?

        package init(
            order: String,
            kind: LedgerEntry.Kind,
            status: OrderDetails.EntryStatus,
            store: Store,
            amount: Int64,
            currency: Currency,
            notification: UUID? = nil,
            failureReason: String? = nil
        ) {
            self.order = order
            self.kind = kind
            self.status = status
            self.store = store
            self.amount = amount
            self.currency = currency
            self.notification = notification
            self.failureReason = failureReason
        }
    }

    /// An entry of the audit log.
    package struct Action: Sendable {
        package var actor: String
        package var role: StaffRole?
        package var action: String
        package var objectType: String?
        package var objectID: String?
        /// JSON objects and the reason; nil for those who may not read them.
        package var before: Personal<String>?
        package var after: Personal<String>?
        package var reason: Personal<String>?

        package init(
            actor: String,
            role: StaffRole?,
            action: String,
            objectType: String? = nil,
            objectID: String? = nil,
            before: Personal<String>? = nil,
            after: Personal<String>? = nil,
            reason: Personal<String>? = nil
        ) {
            self.actor = actor
            self.role = role
            self.action = action
            self.objectType = objectType
            self.objectID = objectID
            self.before = before
            self.after = after
            self.reason = reason
        }
    }
}
