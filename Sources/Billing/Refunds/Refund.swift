/// A request to give money of an order back, from asking to done (readmigo, part 4, "RefundRequest"): the state machine
/// alone. Who may take a step is for `RefundPolicy`, how much there is to give for `RefundableOrder`.
package struct Refund: Hashable, Sendable {
    package typealias ID = Identifier<Refund>

    package var kind: Kind
    package private(set) var status: Status
    package var requested: Money
    /// The approved amount; at most the requested one.
    package private(set) var approved: Money?
    /// The amount actually refunded, which the store may have decided otherwise.
    package private(set) var processed: Money?

    package init(
        kind: Kind,
        status: Status = .pending,
        requested: Money,
        approved: Money? = nil,
        processed: Money? = nil
    ) {
        self.kind = kind
        self.status = status
        self.requested = requested
        self.approved = approved
        self.processed = processed
    }

    /// The way in which the amount is determined. The database keeps the raw values.
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// All that is left of the charge.
        case full
        /// A chosen amount.
        case partial
        /// The unused share of the paid period, by time.
        case prorated
    }

    /// The status of a request. The database keeps the raw values.
    package enum Status: String, Sendable, Codable, CaseIterable {
        /// Waits for a decision.
        /// Can transition to: approved, rejected (by a decider, or by the store that opened it), cancelled (by the requester or a
        /// decider), expired (nobody decided in time).
        case pending
        /// Agreed to; the money has not moved yet: the store is asked, or a person pays.
        /// Can transition to: processed (the store did it, or a person says it is done), rejected (the store declined),
        /// cancelled (who may decide takes it back), expired (a store that decides for itself never did).
        case approved
        /// The money went back, and the ledger says so.
        /// Can transition to: nothing.
        case processed
        /// Rejected by a decider, or declined by the store after it was approved here.
        /// Can transition to: nothing.
        case rejected
        /// Taken back before anything was paid.
        /// Can transition to: nothing.
        case cancelled
        /// Nobody did anything for too long.
        /// Can transition to: nothing.
        case expired

        /// Open requests hold their amount: no other request can have it.
        package var isOpen: Bool {
            switch self {
            case .pending, .approved: true
            case .processed, .rejected, .cancelled, .expired: false
            }
        }
    }

    /// A step in the life of a request.
    package enum Step: Hashable, Sendable {
        case approve(Money)
        case reject
        /// The store did not refund what was approved here, or what its customer asked for.
        case declineByStore
        case cancel
        case process(Money)
        case expire
    }

    /// Takes a step, or leaves the request as it is.
    ///
    /// - Throws: `RefundRefused` with `.notPossible` for a step that the status does not allow, `.amountNotPositive` or
    ///   `.aboveRequested` for an amount.
    package mutating func take(_ step: Step) throws(RefundRefused) {
        switch (step, status) {
        case (.approve(let amount), .pending):
            try Self.requirePositive(amount)
            guard amount.currency == requested.currency, amount.minorUnits <= requested.minorUnits else {
                throw RefundRefused(
                    .aboveRequested(requested),
                    "No more than the \(requested) asked for can be approved."
                )
            }
            (status, approved) = (.approved, amount)
        case (.process(let amount), .approved):
            try Self.requirePositive(amount)
            (status, processed) = (.processed, amount)
        case (.reject, .pending), (.declineByStore, .pending), (.declineByStore, .approved):
            status = .rejected
        case (.cancel, .pending), (.cancel, .approved):
            status = .cancelled
        case (.expire, .pending), (.expire, .approved):
            status = .expired
        case (.approve, _), (.reject, _), (.declineByStore, _), (.cancel, _), (.process, _), (.expire, _):
            throw RefundRefused(
                .notPossible(status),
                "The request is \(status.rawValue): that is not possible any more."
            )
        }
    }

    /// The store reported the payment that a person had booked: the store's amount counts.
    package mutating func confirm(_ amount: Money) {
        guard status == .processed else { return }
        processed = amount
    }

    static func requirePositive(_ amount: Money) throws(RefundRefused) {
        guard amount.minorUnits > 0 else {
            throw RefundRefused(.amountNotPositive, "A refund is more than nothing.")
        }
    }
}
