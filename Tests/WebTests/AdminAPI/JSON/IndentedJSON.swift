import Foundation

/// JSON on many lines, for people and for diffs; it keeps the order of its members.
struct IndentedJSON {
    private(set) var text = ""
    private var depth = 0

    init(of json: Data) {
        var isInString = false
        var isEscaped = false
        var before: Character?
        for character in String(decoding: json, as: UTF8.self) {
            defer { before = character }
            if isInString {
                text.append(character)
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isInString = false
                }
                continue
            }
            switch character {
            case "}", "]":
                depth -= 1
                if before != "{", before != "[" { breakLine() }
                text.append(character)
            case _:
                if before == "{" || before == "[" || before == "," { breakLine() }
                if character == "{" || character == "[" { depth += 1 }
                if character == "\"" { isInString = true }
                text.append(character)
                if character == ":" { text.append(" ") }
            }
        }
        text.append("\n")
    }

    private mutating func breakLine() {
        text += "\n" + String(repeating: "  ", count: depth)
    }
}
