import Billing
import Foundation

extension JSONFields {
    /// An int64: proto3's JSON writes it as a text, and some write a number. Absent is zero.
    func int64(_ name: StaticString) throws(GatewayError) -> Int64 {
        guard let value = value(name) else { return 0 }
        guard case .string(let text) = value else { return try integer(name) ?? 0 }
        guard let integer = Int64(text) else {
            throw GatewayError(.malformed, "The member \(name) is not a whole number.")
        }
        return integer
    }

    /// False where it is absent, as proto3's JSON leaves it out.
    func flag(_ name: StaticString) throws(GatewayError) -> Bool { try bool(name) ?? false }

    /// A moment in RFC 3339, to the millisecond.
    func timestamp(_ name: StaticString) throws(GatewayError) -> Date? {
        guard let text = try string(name) else { return nil }
        guard let date = Date(rfc3339: text) else {
            throw GatewayError(.malformed, "The member \(name) is not a moment.")
        }
        return date
    }

    /// Milliseconds since 1970, as a text or as a number.
    func milliseconds(_ name: StaticString) throws(GatewayError) -> Date? {
        guard value(name) != nil else { return nil }
        let milliseconds = try int64(name)
        guard (0...253_402_300_799_000).contains(milliseconds) else {
            throw GatewayError(.malformed, "The member \(name) is not a moment.")
        }
        return Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }

    /// An id of Google's that can be kept; nil where it is absent or empty.
    func name(_ name: StaticString) throws(GatewayError) -> String? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        guard text.isGoogleName else { throw GatewayError(.malformed, "The member \(name) is no id.") }
        return text
    }

    /// `Money`; nil where it is absent, or of no currency.
    func money(_ name: StaticString) throws(GatewayError) -> Money? {
        guard let value = value(name) else { return nil }
        return try Money(google: value)
    }

    func has(_ name: StaticString) -> Bool { value(name) != nil }
}

extension Money {
    /// Google's `{currencyCode, units, nanos}`: units as a text or a number, either left out where it is zero.
    ///
    /// - Returns: nil of no known currency: the amount is not known then.
    /// - Throws: `.malformed` for what is no such amount, or is finer than the currency's minor unit, or beyond what the books take: it
    ///   must not be rounded or vanish unseen.
    init?(google value: JSON) throws(GatewayError) {
        let fields = try JSONFields(value, of: "amount")
        guard let currency = try fields.string("currencyCode").flatMap({ Currency($0) }) else { return nil }
        let units = try fields.int64("units")
        let nanos = try fields.int64("nanos")
        guard (-999_999_999...999_999_999).contains(nanos), units == 0 || nanos == 0 || (units > 0) == (nanos > 0)
        else {
            throw GatewayError(.malformed, "The billionths of an amount in \(currency) contradict its units.")
        }
        var scale: Int64 = 1
        for _ in 0..<currency.digits { scale *= 10 }
        let perMinorUnit = 1_000_000_000 / scale
        guard nanos.isMultiple(of: perMinorUnit) else {
            throw GatewayError(.malformed, "An amount in \(currency) is finer than its minor unit.")
        }
        let whole = units.multipliedReportingOverflow(by: scale)
        let sum = whole.partialValue.addingReportingOverflow(nanos / perMinorUnit)
        guard !whole.overflow, !sum.overflow, sum.partialValue.magnitude <= Money.highestPrice.magnitude else {
            throw GatewayError(.malformed, "An amount in \(currency) is beyond what the books take.")
        }
        self.init(minorUnits: sum.partialValue, currency: currency)
    }
}
