import Billing
package import Foundation
package import Gateways

/// A notification that the simulated App Store has sent, is sending, or could not get through.
package struct SimulatedSending: Sendable {
    package let message: SimulatedMessage
    package let signedDate: Date
    /// Whose history it is in; nil where it concerns no customer.
    let customer: String?
    package internal(set) var attempts: [Attempt] = []
    /// When it is sent next; nil where it is done or given up.
    package internal(set) var dueAt: Date?

    init(message: SimulatedMessage, customer: String?) {
        self.message = message
        self.customer = customer
        signedDate = message.signedDate
    }

    package var isDelivered: Bool { attempts.contains { $0.result == .success } }

    package struct Attempt: Hashable, Sendable {
        package let date: Date
        package let result: AppleSentNotification.Result

        var json: JSON { ["attemptDate": date.milliseconds, "sendAttemptResult": .string(result.rawValue)] }
    }

    /// Takes down an attempt and when the next one is.
    mutating func record(_ result: AppleSentNotification.Result, at date: Date) {
        attempts.append(Attempt(date: date, result: result))
        dueAt = result == .success ? nil : SimulatedSchedule.next(afterAttempts: attempts.count, at: date, of: message)
    }
}

/// When Apple tries again (stores/apple.md, 1.1).
enum SimulatedSchedule {
    /// Five times, each so many hours after the attempt before; in the sandbox never, and never a test.
    static func next(afterAttempts count: Int, at date: Date, of message: SimulatedMessage) -> Date? {
        guard message.environment == .production, message.type != "TEST", hours.indices.contains(count - 1) else {
            return nil
        }
        return date.addingTimeInterval(hours[count - 1] * 3_600)
    }

    private static let hours: [TimeInterval] = [1, 12, 24, 48, 72]
}

/// The fate of a notification when the simulated App Store takes it down.
package enum SimulatedDelivery: Hashable, Sendable {
    /// The server has answered 200, whatever it made of it.
    case arrived
    /// No attempt so far got through; the schedule goes on.
    case lost
    /// It is sent now.
    case due
}
