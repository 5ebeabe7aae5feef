/// The reason that a refund cannot be requested, decided or paid. The order and its requests are unchanged.
package struct RefundRefused: Error, Sendable, CustomStringConvertible {
    package var code: Code
    /// A sentence for staff.
    package var message: String
    package var underlying: (any Error)?
    package var file: String
    package var line: Int

    package init(
        _ code: Code,
        _ message: String,
        underlying: (any Error)? = nil,
        file: String = #fileID,
        line: Int = #line
    ) {
        self.code = code
        self.message = message
        self.underlying = underlying
        self.file = file
        self.line = line
    }

    package enum Code: Hashable, Sendable {
        /// The order has not been charged, failed, or was free.
        case notCharged
        /// Everything was given back, or other open requests hold the rest.
        case nothingLeft
        case amountNotPositive
        /// More than is left of the charge.
        case aboveLeft(Money)
        /// More than was asked for.
        case aboveRequested(Money)
        case otherCurrency
        /// The purchase does not run for a time, so no share of it is unused.
        case noPeriod
        /// The paid period is over: nothing of it is unused.
        case periodOver
        /// Its requester cannot approve it.
        case ownRequest(SelfApprovalBar)
        /// The last characters of the order's number were not typed.
        case notConfirmed
        /// The request's status does not allow this step.
        case notPossible(Refund.Status)
    }

    package var description: String { "\(code): \(message) (\(file):\(line))" }
}
