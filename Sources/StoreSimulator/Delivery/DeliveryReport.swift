/// What became of the messages of a delivery.
package struct DeliveryReport: Hashable, Sendable {
    /// Messages dealt with so far, accepted or not; copies count.
    package var sent = 0
    /// Answered with 200 to 206.
    package var accepted = 0
    /// Not accepted in the end, by the status of the last answer; 0 where none came.
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

/// What became of one message.
struct DeliveryOutcome: Sendable {
    /// 0 for no answer.
    var status: Int
    var attempts: Int

    /// As the App Store counts (stores/apple.md, 1.1).
    var isAccepted: Bool {
        (200...206).contains(status)
    }

    /// Whether another attempt may go better; what is refused for its contents is not sent again.
    var isWorthRetrying: Bool {
        status == 0 || status == 429 || status >= 500
    }
}
