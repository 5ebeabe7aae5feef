/// The counts of a delivery's messages by their result.
package struct DeliveryReport: Hashable, Sendable {
    /// Messages finished so far, accepted or not; copies count.
    package var sent = 0
    /// Messages answered with 200 to 206.
    package var accepted = 0
    /// Messages not accepted in the end, by the status of the last answer; 0 where none came.
    package var refused: [Int: Int] = [:]
    /// Attempts beyond the first of a message.
    package var retried = 0
    package var duration: Duration = .zero

    package init() {}

    mutating func record(_ outcome: DeliveryOutcome) {
        sent += 1
        retried += outcome.attempts - 1
        if outcome.isAccepted { accepted += 1 } else { refused[outcome.status, default: 0] += 1 }
    }
}

/// The result of one message.
struct DeliveryOutcome: Sendable {
    /// The status of the last answer; 0 for none.
    var status: Int
    var attempts: Int

    /// True if the App Store would count it as delivered (stores/apple.md, 1.1).
    var isAccepted: Bool {
        (200...206).contains(status)
    }

    /// True if another attempt may succeed; a message that is refused for its contents is not sent again.
    var isWorthRetrying: Bool {
        status == 0 || status == 429 || status >= 500
    }
}
