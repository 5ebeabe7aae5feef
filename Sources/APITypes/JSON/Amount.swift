public import Foundation

/// An amount of money as JSON has it: a decimal number with the currency's own digits, next to the currency.
public struct Amount: Hashable, Sendable {
    /// As the number is written, for example `128.00`.
    public let text: String

    /// nil when the text is no plain decimal number.
    public init?(_ text: String) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), text.utf8.count <= 24,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (48...57).contains($0) } })
        else { return nil }
        self.text = text
    }

    public static let zero = Amount(digits: "0.00")

    private init(digits text: String) {
        self.text = text
    }

    public var decimal: Decimal { Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? 0 }

    /// Equal as numbers: JSON readers drop closing zeros.
    public static func == (left: Amount, right: Amount) -> Bool { left.decimal == right.decimal }

    public func hash(into hasher: inout Hasher) { hasher.combine(decimal) }
}

extension Amount: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let decimal = try container.decode(Decimal.self)
        guard let amount = Amount("\(decimal)") else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(decimal) is no amount")
        }
        self = amount
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(decimal)
    }
}
