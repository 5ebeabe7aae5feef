package import Foundation

/// The consequence of a store's answer that it knows of no refund under a number that it was asked to pay: a decision about values.
///
/// The last request may still be on its way when the store says so. So nothing is sent in the last hour of the day after which people may
/// pay in another way: whoever pays then does not pay beside a question of ours.
package enum UnpaidPayout: Hashable, Sendable {
    /// It is sent again, under the same number.
    case send
    /// It is asked about later, and not sent.
    case wait
    /// It is left to people.
    case leave

    /// - Parameter since: the first of the store's answers in a row that say so.
    package init(since: Date, at now: Date) {
        switch now.timeIntervalSince(since) {
        case Self.patience...: self = .leave
        case (Self.patience - Self.quiet)...: self = .wait
        default: self = .send
        }
    }

    /// The time for which the store has to say so, in seconds.
    package static let patience: TimeInterval = 86_400
    /// The end of it, in which nothing is sent, in seconds: longer than any question to a store takes.
    package static let quiet: TimeInterval = 3_600
}
