import APITypes
import Billing
import Foundation
import HTTP

extension JSONValue {
    /// Reads JSON as the database keeps it; nil for none.
    init?(text: String?) {
        guard let text, let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        self = value
    }
}

extension Amount {
    init(_ money: Money) {
        guard let amount = Amount(money.decimalText) else {
            preconditionFailure("\(money) is no decimal number")  // safe: 19 digits, a point and a sign are one
        }
        self = amount
    }
}
