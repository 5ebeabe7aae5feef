import Foundation

/// The times at which a store is asked about a refund that it has taken and not paid: soon at first, then less and less often. Banks take
/// days.
enum PayoutSchedule {
    /// In seconds after it was sent.
    static let times: [TimeInterval] = [60, 300, 1_800, 7_200, 21_600, 86_400]

    /// Seconds until the store is asked next.
    static func wait(at age: TimeInterval) -> TimeInterval {
        max(1, (times.first { $0 > age + 1 } ?? age + 86_400) - age)
    }
}
