import Billing
import Foundation

/// Texts as WeChat Pay takes and gives them.
enum WeChatPayText {
    /// A text that WeChat Pay takes: without emoji, which it refuses, and what belongs to them; on one line, and cut at that many bytes.
    static func plain(_ text: String, atMost length: Int) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where isTaken(scalar) { plain.append(scalar) }
        let words = String(plain).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var cut = ""
        for character in words {
            guard cut.utf8.count + character.utf8.count <= length else { break }
            cut.append(character)
        }
        return cut
    }

    /// UTF-8 of one to three bytes; no joiner or selector that an emoji left behind, and no control character but spaces.
    private static func isTaken(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0x7F..<0xA0, 0x200D, 0x20E3, 0xFE00...0xFE0F, 0xFFFE...: false
        default: true
        }
    }

    /// Our number of an order.
    static func isOrderNumber(_ text: String) -> Bool { text.wholeMatch(of: /[0-9A-Za-z_\-|*]{6,32}/) != nil }

    /// Our number of a refund.
    static func isRefundNumber(_ text: String) -> Bool { text.wholeMatch(of: /[0-9A-Za-z_\-|*@]{1,64}/) != nil }

    /// A number that a bill names, also of an order that was not opened here: printable ASCII, 64 at most.
    ///
    /// - Throws: `.malformed`.
    static func billed(_ text: String, _ name: String) throws(GatewayError) -> String {
        guard let number = ProviderText.subject(text), number.utf8.count <= 64 else {
            throw GatewayError(.malformed, "\(name) is no number.")
        }
        return number
    }

    /// An address that WeChat Pay sends notifications to: http or https, 255 bytes at most, without a query.
    static func isNotificationAddress(_ url: String) -> Bool {
        url.utf8.count <= 255 && Origin(of: url) != nil && !url.contains("?") && !url.contains("#")
    }

    /// A word of WeChat Pay's that people see, such as a bank; nil for what is longer than that, and for none.
    static func word(_ text: String?, atMost length: Int = 64) -> String? {
        guard let text, !text.isEmpty, text.count <= length, text.utf8.count <= length * 4,
            text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        return text
    }
}

extension JSONFields {
    /// A number of something at WeChat Pay: printable ASCII without spaces.
    ///
    /// - Throws: `.missing`, `.malformed`.
    func requiredNumber(_ name: StaticString) throws(GatewayError) -> String {
        guard let text = ProviderText.subject(try required(name)), text.utf8.count <= 64 else {
            throw GatewayError(.malformed, "The member \(name) is no number of WeChat Pay's.")
        }
        return text
    }

    /// An amount in fen, or the minor unit of another currency: a whole number, never negative.
    ///
    /// - Throws: `.malformed`, also for a number in a text.
    func money(_ name: StaticString, in currency: Currency) throws(GatewayError) -> Money? {
        guard let units = try integer(name) else { return nil }
        guard (0...Money.highestPrice).contains(units) else {
            throw GatewayError(.malformed, "The member \(name) is no amount that anybody pays.")
        }
        return Money(minorUnits: units, currency: currency)
    }

    /// - Throws: `.malformed`.
    func moment(_ name: StaticString) throws(GatewayError) -> Date? {
        guard let text = try string(name), !text.isEmpty else { return nil }
        guard let date = WeChatPayTime.date(text) else {
            throw GatewayError(.malformed, "The member \(name) is no moment.")
        }
        return date
    }

    /// CNY where the object does not say.
    ///
    /// - Throws: `.malformed`.
    func currency(_ name: StaticString) throws(GatewayError) -> Currency {
        guard let currency = Currency(try string(name) ?? "CNY") else {
            throw GatewayError(.malformed, "The member \(name) is no currency.")
        }
        return currency
    }
}
