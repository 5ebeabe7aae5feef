/// What is wrong with one field of a form or request.
package struct FieldProblem: Sendable, Hashable {
    /// As the form or request names it.
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
        /// Fewer characters than this.
        case tooShort(Int)
        /// More characters than this.
        case tooLong(Int)
        case notANumber
        case notADate
        case tooSmall(String)
        case tooLarge(String)
        /// What was typed to confirm is not what was asked for.
        case notConfirmed
        /// Something else has this name already.
        case taken
        /// It names nobody and nothing.
        case empty
        /// Something else was given that says the same.
        case onlyOne
        /// A password that is guessed first: common, or made of what is known of the account.
        case guessable
        /// A sentence of its own, in English.
        case other(String)
    }

    /// In English, for programs.
    package var message: String {
        switch kind {
        case .missing: "This is missing."
        case .unknownChoice: "This is none of the choices."
        case .tooShort(let minimum): "At least \(minimum) characters are needed."
        case .tooLong(let maximum): "At most \(maximum) characters fit."
        case .notANumber: "This is not a number."
        case .notADate: "This is not a date."
        case .tooSmall(let minimum): "The least is \(minimum)."
        case .tooLarge(let maximum): "The most is \(maximum)."
        case .notConfirmed: "This is not what was to be typed."
        case .taken: "There is one of this name already."
        case .empty: "There is nothing in it."
        case .onlyOne: "Only one of these can be given."
        case .guessable:
            "This password is guessed first: it is a common one, your address or the product's name, or hardly more. "
                + "Take a few words that have nothing to do with each other."
        case .other(let sentence): sentence
        }
    }
}
