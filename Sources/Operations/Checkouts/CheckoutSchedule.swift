import Foundation

/// The times at which a store is asked about an open order (payments.md, 1B): soon after it was opened, and then less and less often.
enum CheckoutSchedule {
    /// In seconds after it was opened.
    static let times: [TimeInterval] = [5, 30, 60, 180, 300, 600, 1_800]

    static let first: TimeInterval = 5

    /// Seconds until the store is asked next: at the latest when the order expires.
    static func wait(at age: TimeInterval, expiringAt lifetime: TimeInterval) -> TimeInterval {
        let next = times.first { $0 > age + 1 } ?? age + 1_800
        return max(1, min(next, max(lifetime, age + 1)) - age)
    }
}
