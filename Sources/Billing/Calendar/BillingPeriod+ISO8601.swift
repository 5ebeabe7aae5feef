extension BillingPeriod: CustomStringConvertible {
    /// Reads an ISO 8601 duration of one unit: `P1M`, `P7D`, `P1Y`, `P1W`. nil for zero, for mixed units ("P1Y6M"), for
    /// times of day, and above 9999.
    package init?(iso8601 text: some StringProtocol) {
        let characters = Array(text.utf8)
        let digits = characters.dropFirst().dropLast()
        guard
            characters.first == UInt8(ascii: "P"),
            (1...4).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }),
            let count = Int(String(decoding: digits, as: UTF8.self)), count > 0
        else { return nil }
        switch characters.last {
        case UInt8(ascii: "D"): self.init(count, .day)
        case UInt8(ascii: "W"): self.init(count, .week)
        case UInt8(ascii: "M"): self.init(count, .month)
        case UInt8(ascii: "Y"): self.init(count, .year)
        default: return nil
        }
    }

    /// The ISO 8601 duration.
    package var description: String {
        switch unit {
        case .day: "P\(count)D"
        case .week: "P\(count)W"
        case .month: "P\(count)M"
        case .year: "P\(count)Y"
        }
    }
}
