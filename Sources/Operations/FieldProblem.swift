package import Billing

/// A problem with one field of a form or request.
package struct FieldProblem: Sendable, Hashable {
    /// The field's name in the form or request.
    package var field: String
    package var kind: Kind

    package init(_ field: String, _ kind: Kind) {
        self.field = field
        self.kind = kind
    }

    /// Kinds that every form has; pages have words for each.
    package enum Kind: Sendable, Hashable {
        case missing
        case unknownChoice
        /// Nothing here is called so.
        case unknownName
        /// Fewer characters than this.
        case tooShort(Int)
        /// More characters than this.
        case tooLong(Int)
        case notANumber
        case notADate
        /// A sum of money has to be above zero.
        case notPositive
        case tooSmall(String)
        case tooLarge(String)
        /// The confirmation that was typed does not match.
        case notConfirmed
        /// The name is already taken.
        case taken
        /// It names nobody and nothing.
        case empty
        /// Another field that means the same was given, too.
        case onlyOne
        /// A password that is guessed first: common, or made of known facts about the account.
        case guessable
        /// One of several lines has more characters than this.
        case lineTooLong(Int)
        /// A file has a column that nothing reads.
        case unknownColumn(String)
        /// A file has two columns of a name.
        case repeatedColumn(String)
        /// A file has several columns, and none that says who a customer is.
        case noCustomerColumn
        /// A spreadsheet made a number of it and cut its digits.
        case shortenedNumber(String, line: Int)
        /// The purchase does not run for a time, so no share of it is unused.
        case noPeriod
        /// The paid period is over: nothing of it is unused.
        case periodOver
        /// More entries than this.
        case tooMany(Int)
        /// JSON of another type.
        case wrongType
        /// A number, a time or a text that the field cannot hold.
        case unfit
        /// It is there more than once.
        case repeated
        /// A question has no such parameter, but these.
        case unknownParameter(known: [String])
        /// A NUL character, which PostgreSQL does not keep.
        case nul
        /// It happened more than so many days ago.
        case tooLongAgo(days: Int)
        case inFuture
        /// A rule about what customers may be given.
        case rule(ActionRefused.Code)
        /// A sentence of its own, in English.
        case other(String)
    }

    /// In English, for programs.
    package var message: String {
        switch kind {
        case .missing: "This is missing."
        case .unknownChoice: "This is none of the choices."
        case .unknownName: "There is nothing of this name."
        case .tooShort(let minimum): "At least \(minimum) characters are needed."
        case .tooLong(let maximum): "At most \(maximum) characters fit."
        case .notANumber: "This is not a number."
        case .notADate: "This is not a date."
        case .notPositive: "The amount must be above 0."
        case .tooSmall(let minimum): "The least is \(minimum)."
        case .tooLarge(let maximum): "The most is \(maximum)."
        case .notConfirmed: "This is not what was to be typed."
        case .taken: "There is one of this name already."
        case .empty: "There is nothing in it."
        case .onlyOne: "Only one of these can be given."
        case .guessable:
            "This password is guessed first: it is a common one, your address or the product's name, or hardly more. "
                + "Take a few words that have nothing to do with each other."
        case .lineTooLong(let maximum): "A line has at most \(maximum) characters."
        case .unknownColumn(let name): "Nothing reads the column \(name)."
        case .repeatedColumn(let name): "There are two columns \(name)."
        case .noCustomerColumn:
            "The first line has to name the columns, and one of them customer_id, customer_key, external_id or email."
        case .shortenedNumber(let text, let line):
            "Line \(line): \(text) was a longer number before a spreadsheet shortened it. Export the list again."
        case .noPeriod: "What was bought does not run for a time, so no share of it is unused."
        case .periodOver: "The paid period is over: nothing of it is unused."
        case .tooMany(let maximum): "Send at most \(maximum) at once."
        case .wrongType: "This field has another type."
        case .unfit: "This field cannot hold this."
        case .repeated: "This field is there more than once."
        case .unknownParameter(let known):
            "There is no parameter \(field) here, but \(known.joined(separator: ", "))."
        case .nul: "A NUL character cannot be kept."
        case .tooLongAgo(let days): "This is more than \(days) days ago."
        case .inFuture: "This is in the future."
        case .rule(let code): ActionRefused(code).description
        case .other(let sentence): sentence
        }
    }
}

extension FieldProblem.Kind {
    /// For programs: the `code` of the field in a problem. Codes are stable; others may be added.
    package var code: String {
        switch self {
        case .missing, .noCustomerColumn: "required"
        case .unknownChoice: "unknownChoice"
        case .unknownName, .unknownColumn: "unknownName"
        case .tooShort: "tooShort"
        case .tooLong, .lineTooLong: "tooLong"
        case .notANumber: "notANumber"
        case .notADate: "notADate"
        case .notPositive: "notPositive"
        case .tooSmall: "tooSmall"
        case .tooLarge: "tooLarge"
        case .notConfirmed: "notConfirmed"
        case .taken: "taken"
        case .empty: "empty"
        case .onlyOne: "onlyOne"
        case .guessable: "guessable"
        case .noPeriod: "noPeriod"
        case .periodOver: "periodOver"
        case .tooMany: "tooMany"
        case .wrongType: "wrongType"
        case .repeated, .repeatedColumn: "repeated"
        case .unknownParameter: "unknownParameter"
        case .nul: "nulCharacter"
        case .tooLongAgo: "tooLongAgo"
        case .inFuture: "inFuture"
        case .rule: "notAllowed"
        case .unfit, .shortenedNumber, .other: "invalid"
        }
    }
}
