import Foundation

/// The times at which a store is asked about an open order (payments.md, 1B): soon after it was opened, and then less and less often.
enum CheckoutSchedule {
    /// In seconds after it was opened.
    static let times: [TimeInterval] = [5, 30, 60, 180, 300, 600, 1_800]

    static let first: TimeInterval = 5

    /// Seconds after an order expired in which a store that does not know it is asked on. Alipay has no order before the customer has
    /// opened it: one that is paid in the last seconds may be there only when its payment is.
    static let margin: TimeInterval = 120

    /// Seconds until the store is asked next: at the latest when the order expires, and then less and less often once more, for as long
    /// as the store does not say that it is closed.
    static func wait(at age: TimeInterval, expiringAt lifetime: TimeInterval) -> TimeInterval {
        let isOver = age >= lifetime
        let age = isOver ? age - lifetime : age
        let next = times.first { $0 > age + 1 } ?? age + 1_800
        let end = isOver ? margin : lifetime
        return max(1, (age < end ? min(next, end) : next) - age)
    }
}
