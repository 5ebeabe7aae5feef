/// The reason that an event cannot be true of a subscription, or that money cannot be booked. The subscription and the ledger are
/// unchanged.
package struct TransitionRefused: Error, Sendable, CustomStringConvertible {
    package var code: Code
    /// A sentence for staff.
    package var message: String
    package var eventID: String
    package var kind: StoreEvent.Kind
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        of event: StoreEvent,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        eventID = event.id
        kind = event.kind
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package enum Code: String, Sendable, CaseIterable {
        /// The original transaction id is not that of the history's first event.
        case otherSubscription
        case otherStore
        case otherEnvironment
        /// Offered after an event that was signed later.
        case outOfOrder
        case missingIdentifier
        /// Longer than any store's, or with a NUL.
        case identifierUnusable
        case negativePrice
        /// Less than one, or more than anybody buys at once.
        case quantityOutOfRange
        /// The period ends before it starts, or as it starts.
        case periodReversed
        /// A product that runs for a time came without the end of that time.
        case endMissing
        /// A consumable or lifetime product cannot renew, lapse or pause.
        case productDoesNotRenew
        /// A refund of less than nothing or more than everything.
        case refundShareOutOfRange
        /// A charge cannot fail, and nothing can pause, after the subscription ended.
        case alreadyEnded
        /// The clock's end of something that went on, as later messages of the store have told.
        case wentOn
        /// An extension that would shorten the period.
        case extensionShortens
        case refundInOtherCurrency
        /// More than the books take, or a share of it that cannot be computed.
        case amountOutOfRange
        /// Centuries before or after what can be.
        case dateOutOfRange
    }

    package var description: String { "\(code) (\(kind) \(eventID)): \(message) (\(file):\(line))" }
}
