import ArgumentParser

/// Numbers as people type them.
enum Whole {
    /// - Throws: `ValidationError` with the bounds for a number outside of them.
    static func number(_ number: Int, isIn bounds: ClosedRange<Int>, of option: String) throws {
        guard bounds.contains(number) else {
            throw ValidationError("\(option) is a whole number from \(bounds.lowerBound) to \(bounds.upperBound).")
        }
    }
}
