import HTTP

/// A sentence of the API's description, in which what stands between backticks is code.
struct MarkedText: Sendable {
    let pieces: [Piece]

    init(_ text: String) {
        pieces = text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .map { place, part in Piece(text: String(part), isCode: !place.isMultiple(of: 2)) }
            .filter { !$0.text.isEmpty }
    }

    struct Piece: Sendable {
        let text: String
        let isCode: Bool
    }
}
