/// The movement of a metric from the start of a period to its end: monthly revenue in minor units of one currency, or subscribers.
package struct Movement: Hashable, Sendable {
    package var start: Int64
    /// Signed changes by class.
    package private(set) var changes: [MovementClass: Int64] = [:]

    package init(start: Int64) {
        self.start = start
    }

    /// Negative for what became less.
    package subscript(_ movement: MovementClass) -> Int64 { changes[movement, default: 0] }

    package var end: Int64 { ([start] + changes.values).boundedSum }

    package mutating func add(_ amount: Int64, _ movement: MovementClass) {
        changes[movement, default: 0] = self[movement].plus(amount)
    }
}
