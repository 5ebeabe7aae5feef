/// The reason that staff cannot perform an action on a customer's access. Nothing has changed.
package struct ActionRefused: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: Code
    /// The plan that the rejection is about.
    package var plan: Plan?
    package var days: Int?
    package var store: Store?

    package init(_ code: Code, plan: Plan? = nil, days: Int? = nil, store: Store? = nil) {
        self.code = code
        self.plan = plan
        self.days = days
        self.store = store
    }

    package enum Code: String, Sendable, Codable, CaseIterable {
        /// The plan that everyone has cannot be given.
        case planIsFree
        /// The customer has this, or more, for as long already.
        case changesNothing
        /// From 1 to 3,650 days.
        case daysOutOfRange
        /// The end is past, or more than ten years away.
        case endOutOfRange
        /// More than this person may give; `days` says how much that is.
        case aboveLimit
        /// Nothing gives the customer access now.
        case nothingRuns
        /// The customer holds nothing like that.
        case notHeld
        /// Access without end cannot be extended.
        case hasNoEnd
        /// It is over: give a new grant instead.
        case isOver
        case alreadyRevoked
        case notRevoked
        /// A paid plan cannot be changed to a lower one, or to itself.
        case notAbovePaid
        case samePlan
        /// A subscription goes to another customer, not to its own.
        case sameCustomer
        /// Only the customer can do it, at the store in `store`.
        case onlyAtStore
        /// Nothing goes on after the present end.
        case nothingFollows
        /// It is a seat of somebody else's group: the seat is ended, or the purchaser's subscription changed.
        case isSeat
        /// It was changed since.
        case changedSince
    }

    package var description: String {
        switch code {
        case .planIsFree: "Everyone has this plan; it cannot be given."
        case .changesNothing: "The customer has this, or more, for as long already."
        case .daysOutOfRange: "Days are a whole number from 1 to 3,650."
        case .endOutOfRange: "The end is a day in the future, within ten years."
        case .aboveLimit: "This is above the limit of \(days ?? 0) days ahead that your role may give; an admin can."
        case .nothingRuns: "Nothing gives the customer access now."
        case .notHeld: "The customer holds nothing like that."
        case .hasNoEnd: "It has no end, so it cannot be extended."
        case .isOver: "It is over; give a new grant instead."
        case .alreadyRevoked: "It is revoked already."
        case .notRevoked: "It is not revoked."
        case .notAbovePaid: "What is paid cannot be changed to a lower plan, or to the same."
        case .samePlan: "It is of this plan already."
        case .sameCustomer: "It is this customer's already."
        case .onlyAtStore: "Only the customer can cancel it, at the store."
        case .nothingFollows: "Nothing goes on after the present end."
        case .isSeat: "It is a seat of somebody else's group: end the seat, or change the purchaser's subscription."
        case .changedSince: "Somebody has changed it since."
        }
    }
}
