/// Arithmetic for sums that nobody can bound beforehand, such as those of what stores say was paid: what does not fit
/// stops at the bounds instead of ending the process. An absurd number is seen; a server that is gone is not.
extension Int64 {
    package func plus(_ other: Int64) -> Int64 { Int64(clamping: Int128(self) + Int128(other)) }

    package func minus(_ other: Int64) -> Int64 { Int64(clamping: Int128(self) - Int128(other)) }

    package func times(_ other: Int64) -> Int64 { Int64(clamping: Int128(self) * Int128(other)) }
}

extension Sequence<Int64> {
    /// Of the total, not of a step: what goes over and comes back is exact.
    package var boundedSum: Int64 { Int64(clamping: reduce(Int128.zero) { $0 + Int128($1) }) }
}

extension FixedWidthInteger {
    /// The whole part of a fraction; the bounds for what does not fit, and 0 for what is no number.
    package init(bounding fraction: Double) {
        let whole = fraction.rounded(.towardZero)
        if whole.magnitude < 0x1p62 {
            self.init(clamping: Int64(whole))  // safe: it fits with room
        } else if let large = Self(exactly: whole) {
            self = large
        } else {
            self = fraction.isNaN ? 0 : fraction < 0 ? .min : .max
        }
    }
}
