import Foundation
import Postgres

/// The text of a search field, in the forms in which it is searched.
struct SearchText: Hashable {
    let text: String

    /// The text with LIKE's own characters taken literally.
    var escaped: String {
        var escaped = ""
        for character in text {
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
