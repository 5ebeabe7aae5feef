/// The payment of a refund by its store, from our approval to the money: the state machine alone. What is done next is for
/// `RefundPayout.step`, what it means for the books for whoever keeps them.
///
/// A store pays nothing twice under one number; so whatever is not known is asked for under the same number.
package struct RefundPayout: Hashable, Sendable {
    package private(set) var state: State

    package init(_ state: State = .waiting) {
        self.state = state
    }

    /// The state of a payout. The database keeps the raw values.
    package enum State: String, Sendable, Codable, CaseIterable {
        /// Approved, and the store was not asked yet.
        /// Can transition to: sent (before the store is asked), refused (it takes no such refund), withdrawn (paid by hand, or
        /// cancelled), and to what the store says of it.
        case waiting
        /// The store was asked, or is about to be, and its answer is not known: it may have paid.
        /// Can transition to: processing, paid, closed, abnormal, refused, unpaid (it has said for a day that it has paid nothing).
        case sent
        /// The store has said for a day, in answers that are believed, that it knows of no refund under the number, and was not asked to pay
        /// in the last hour of it: people decide. Rows that were `sent` before there was this state become it a day after the first such
        /// answer to a server that counts them.
        /// Can transition to: sent (people have it sent again, under the same number), withdrawn (paid by hand, or cancelled), and to
        /// what the store says of it after all.
        case unpaid
        /// The store has taken it and has not paid yet.
        /// Can transition to: paid, closed, abnormal.
        case processing
        /// The customer has the money, by the store's word.
        /// Can transition to: nothing.
        case paid
        /// The store gave it up and will pay nothing under this number.
        /// Can transition to: withdrawn, paid (if the store says so after all).
        case closed
        /// The customer's account takes nothing: people have the store pay it to another one, or pay in another way.
        /// Can transition to: processing (also before the store is asked for another account), paid, closed, withdrawn.
        case abnormal
        /// The store said no, or takes no such refund; nothing was paid.
        /// Can transition to: withdrawn, and to what the store says of it after all.
        case refused
        /// Nobody sends it any more: a person paid it in another way, or the request was cancelled.
        /// Can transition to: paid (the store says that it paid all the same).
        case withdrawn
    }

    /// Takes over what the store says of it. Answers may come late and out of order: an end stands against what was true before it, and
    /// a payment against everything.
    ///
    /// - Returns: false where that changes nothing.
    package mutating func hear(_ told: StoreRefundStanding.State) -> Bool {
        switch (told, state) {
        case (.succeeded, .waiting), (.succeeded, .sent), (.succeeded, .unpaid), (.succeeded, .processing),
            (.succeeded, .closed), (.succeeded, .abnormal), (.succeeded, .refused), (.succeeded, .withdrawn):
            state = .paid
        case (.processing, .waiting), (.processing, .sent), (.processing, .unpaid), (.processing, .abnormal),
            (.processing, .refused):
            state = .processing
        case (.closed, .waiting), (.closed, .sent), (.closed, .unpaid), (.closed, .processing), (.closed, .abnormal),
            (.closed, .refused):
            state = .closed
        case (.abnormal, .waiting), (.abnormal, .sent), (.abnormal, .unpaid), (.abnormal, .processing),
            (.abnormal, .refused):
            state = .abnormal
        case (.succeeded, .paid), (.processing, .processing), (.processing, .paid), (.processing, .closed),
            (.processing, .withdrawn), (.closed, .closed), (.closed, .paid), (.closed, .withdrawn),
            (.abnormal, .abnormal), (.abnormal, .paid), (.abnormal, .closed), (.abnormal, .withdrawn):
            return false
        }
        return true
    }

    /// The store is about to be asked for the first time.
    ///
    /// - Returns: false where it was asked before, or is not to be.
    package mutating func send() -> Bool {
        guard state == .waiting else { return false }
        state = .sent
        return true
    }

    /// The store said no, and paid nothing.
    ///
    /// - Returns: false where more is known than that.
    package mutating func refuse() -> Bool {
        switch state {
        case .waiting, .sent: state = .refused
        case .unpaid, .processing, .paid, .closed, .abnormal, .refused, .withdrawn: return false
        }
        return true
    }

    /// The store has said long enough that it has paid nothing: it is left to people (`UnpaidPayout`).
    ///
    /// - Returns: false where more is known than that.
    package mutating func leave() -> Bool {
        guard state == .sent else { return false }
        state = .unpaid
        return true
    }

    /// People have it sent again, under the same number.
    ///
    /// - Returns: false where it was not left to them.
    package mutating func sendAgain() -> Bool {
        guard state == .unpaid else { return false }
        state = .sent
        return true
    }

    /// The store is about to be asked to pay it to another account than the customer's. From here on it may pay.
    ///
    /// - Returns: false where it can pay the customer's, or is not to pay.
    package mutating func settle() -> Bool {
        guard state == .abnormal else { return false }
        state = .processing
        return true
    }

    /// Nobody sends it any more.
    ///
    /// - Returns: false where it was not to be withdrawn: its outcome is open, or it is paid.
    package mutating func withdraw() -> Bool {
        guard state.allowsPayingByHand, state != .withdrawn else { return false }
        state = .withdrawn
        return true
    }
}

extension RefundPayout.State {
    /// True while the store may pay, or may have paid: whoever paid in another way now might pay twice.
    package var isOutcomeOpen: Bool {
        switch self {
        case .sent, .processing: true
        case .waiting, .unpaid, .paid, .closed, .abnormal, .refused, .withdrawn: false
        }
    }

    /// True where a person may pay in another way, and say so.
    package var allowsPayingByHand: Bool {
        switch self {
        case .waiting, .unpaid, .closed, .abnormal, .refused, .withdrawn: true
        case .sent, .processing, .paid: false
        }
    }

    /// True where the request may be taken back: the store was not asked, or has given it up.
    package var allowsCancelling: Bool {
        switch self {
        case .waiting, .unpaid, .closed, .refused, .withdrawn: true
        case .sent, .processing, .paid, .abnormal: false
        }
    }

    /// True where people have to do something.
    package var needsPeople: Bool {
        switch self {
        case .unpaid, .closed, .abnormal, .refused: true
        case .waiting, .sent, .processing, .paid, .withdrawn: false
        }
    }
}
