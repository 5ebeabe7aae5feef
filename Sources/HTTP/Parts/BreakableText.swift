/// A long name without spaces, such as an address or a product's id, split where a line may break.
package struct BreakableText: Sendable {
    package private(set) var pieces: [String] = []

    package init(_ text: String) {
        var piece = ""
        for character in text {
            piece.append(character)
            guard character == "@" || character == "." else { continue }
            pieces.append(piece)
            piece = ""
        }
        if !piece.isEmpty { pieces.append(piece) }
    }
}
