extension TagParser {
    mutating func path() throws(TemplateError) -> Path {
        skipSpace()
        let start = position
        var names = [try name("a property")]
        while position < end, source.bytes[position] == UInt8(ascii: ".") {
            position += 1
            names.append(try name("a property"))
        }
        return Path(names: names, offset: start)
    }

    mutating func localName() throws(TemplateError) -> String {
        skipSpace()
        return try name("a name")
    }

    /// A Swift name in plain letters. A leading `_` is kept for generated code.
    mutating func name(_ expected: String) throws(TemplateError) -> String {
        let start = position
        if start < end, source.bytes[start].isLetter {
            position = (start..<end).first { !isNamePart(source.bytes[$0]) } ?? end
        }
        guard position > start else { throw source.error(at: start, "expected \(expected)") }
        return source.text(start..<position)
    }

    func isNamePart(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "_")
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    mutating func take(word: String) -> Bool {
        let start = position
        skipSpace()
        if (try? name(word)) == word { return true }
        position = start
        return false
    }

    mutating func expect(_ character: Unicode.Scalar) throws(TemplateError) {
        guard take(character) else { throw source.error(at: position, "expected `\(character)`") }
    }

    mutating func expect(word: String) throws(TemplateError) {
        guard take(word: word) else { throw source.error(at: position, "expected `\(word)`") }
    }

    mutating func finish() throws(TemplateError) {
        guard peek() != nil else { return }
        throw source.error(at: position, "nothing may follow here; templates take property paths only")
    }

    /// The next byte that is not white space.
    mutating func peek() -> UInt8? {
        skipSpace()
        return position < end ? source.bytes[position] : nil
    }

    mutating func skipSpace() {
        while position < end, source.bytes[position].isSpace {
            position += 1
        }
    }
}

extension Path {
    var text: String { names.joined(separator: ".") }
}
