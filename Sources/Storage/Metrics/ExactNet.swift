/// Net revenue as exactly as it was converted, so that what each customer brought is rounded once.
package struct ExactNet: Hashable, Sendable {
    /// Rounded.
    package var minorUnits: Int64 = 0
    /// The rest that rounding took away, in parts of a minor unit.
    var remainder: Int64 = 0

    /// The number of parts of a minor unit.
    static let parts: Int64 = 1_000_000

    /// Rounded half away from zero; nil among nobody.
    func shared(among count: Int64) -> Int64? {
        guard count > 0 else { return nil }
        let exact = Int128(minorUnits) * Int128(Self.parts) + Int128(remainder)
        let divisor = Int128(count) * Int128(Self.parts)
        return Int64(clamping: (exact * 2 + (exact < 0 ? -divisor : divisor)) / (divisor * 2))
    }
}
