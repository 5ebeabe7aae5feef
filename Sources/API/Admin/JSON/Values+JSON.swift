import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension JSONValue {
    /// Reads JSON as the database keeps it; nil for none.
    init?(text: String?) {
        guard let text, let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else { return nil }
        self = value
    }
}

extension Unanswered {
    /// nil where nothing is awaited, or not for long.
    init?(_ question: UnansweredQuestion?, at now: Date) {
        guard let question, question.isLong(at: now) else { return nil }
        self.init(since: question.since, message: question.words)
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
