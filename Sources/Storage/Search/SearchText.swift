import Foundation
import Postgres

/// The text of a search field, in the forms in which it is searched.
struct SearchText: Hashable {
    let text: String

    /// The text with LIKE's own characters taken literally, their wide forms among them: `search_key` makes all of them narrow.
    var escaped: String {
        var escaped = ""
        for character in text.precomposedStringWithCompatibilityMapping {
            if character == "%" || character == "_" || character == "\\" { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    /// An index of trigrams helps only where three letters or digits follow each other.
    var longestWord: Int {
        text.split { !$0.isLetter && !$0.isNumber }.map(\.count).max() ?? 0
    }

    var hasTrigrams: Bool { longestWord >= 3 }

    /// The text as one of our keys.
    var uuid: UUID? { UUID(uuidString: text) }
}

extension SearchText {
    /// A condition that two e-mail addresses are the same but for case and the forms of characters.
    ///
    /// `search_key`, which the index has, makes `é` an `e`, too: good enough to find, too little to be told apart.
    static func isSameAddress(_ first: Query, _ second: Query) -> Query {
        func exact(_ address: Query) -> Query {
            "replace(lower(translate(normalize(\(address), NFC), 'İIı', 'iii')), U&'i\\0307', 'i')"
        }
        return "search_key(\(first)) = search_key(\(second)) AND \(exact(first)) = \(exact(second))"
    }
}
