/// An ISO 4217 currency, by its three-letter code.
package struct Currency: Hashable, Sendable, Codable, CustomStringConvertible {
    package let code: String

    /// ISO 4217's code of no currency: of an amount that nobody knows yet.
    package static let unknown = Currency(unchecked: "XXX")

    private init(unchecked code: StaticString) {
        self.code = code.description
    }

    /// nil unless the code is three ASCII capitals.
    package init?(_ code: some StringProtocol) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        self.code = String(code)
    }

    /// nil unless the code is three ASCII capitals.
    package init?(_ code: String) {
        guard code.utf8.count == 3 else { return nil }
        for letter in code.utf8 where !(65...90).contains(letter) { return nil }
        self.code = code
    }

    /// The number of decimal digits of its minor unit (ISO 4217 "exponent"): 2 for CNY, 0 for JPY, 3 for KWD.
    package var digits: Int {
        // The most frequent currencies skip the search through the others.
        if code == "CNY" || code == "USD" || code == "EUR" || code == "TRY" { return 2 }
        return switch code {
        case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF",
            "XOF", "XPF":
            0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        case "CLF", "UYW": 4
        default: 2
        }
    }

    package var description: String { code }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let code = try container.decode(String.self)
        guard let currency = Currency(code) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(code) is not an ISO 4217 code")
        }
        self = currency
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }
}
