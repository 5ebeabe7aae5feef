/// One line of a language file: a key and its text.
struct Entry: Equatable {
    let key: String
    let line: Int
    let pieces: [Piece]

    /// A part of a text.
    enum Piece: Equatable {
        case text(String)
        /// `{name}`, given where the words are used.
        case placeholder(String)
    }

    var placeholders: Set<String> {
        Set(
            pieces.compactMap { piece in
                if case .placeholder(let name) = piece { name } else { nil }
            }
        )
    }

    /// The plural form that the key ends with, if it does.
    var form: PluralForm? { key.split(separator: ".").last.flatMap { PluralForm(rawValue: String($0)) } }

    /// The key without its plural form.
    var base: String { form.map { String(key.dropLast($0.rawValue.count + 1)) } ?? key }
}
