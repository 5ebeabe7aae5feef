import APITypes
import Billing
import Foundation

extension JSONWriter {
    mutating func field(_ name: StaticString, _ amount: Amount?) {
        self.name(name)
        literal(amount?.text ?? "null")
    }

    mutating func field(_ name: StaticString, _ date: Date?) {
        field(name, date.map(TimeText.rfc3339))
    }
}

extension Amount {
    init(_ money: Money) {
        guard let amount = Amount(money.decimalText) else { preconditionFailure("\(money) is no decimal number") }
        self = amount
    }
}
