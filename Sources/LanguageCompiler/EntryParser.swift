/// Reads a language file: `key = text` lines, comments that begin with `#`, and empty lines.
enum EntryParser {
    static func entries(of source: LanguageSource) -> Result<[Entry], LanguageErrors> {
        guard let text = String(validating: source.bytes, as: UTF8.self) else {
            return .failure(LanguageErrors(errors: [error("this file is not UTF-8", in: source, line: 1)]))
        }
        var (entries, errors, lines): ([Entry], [LanguageError], [String: Int]) = ([], [], [:])
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let content = trimmed(line)
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            do throws(LanguageError) {
                let entry = try entry(content, in: source, line: index + 1)
                if let first = lines.updateValue(index + 1, forKey: StringsName.accessor(for: entry.key)) {
                    throw error("`\(entry.key)` is defined in line \(first) already", in: source, line: index + 1)
                }
                entries.append(entry)
            } catch {
                errors.append(error)
            }
        }
        return errors.isEmpty ? .success(entries) : .failure(LanguageErrors(errors: errors))
    }

    private static func entry(
        _ content: Substring,
        in source: LanguageSource,
        line: Int
    ) throws(LanguageError) -> Entry {
        guard let equals = content.firstIndex(of: "=") else {
            throw error("expected `key = text`", in: source, line: line)
        }
        let key = String(trimmed(content[..<equals]))
        let text = trimmed(content[content.index(after: equals)...])
        guard StringsName.isKey(key) else {
            throw error(
                "`\(key)` is no key: keys are words in lower case with dots between, such as `\(source.area).title`",
                in: source,
                line: line
            )
        }
        guard key.hasPrefix("\(source.area).") else {
            throw error("the keys of this file begin with `\(source.area).`", in: source, line: line)
        }
        guard !text.isEmpty else { throw error("`\(key)` has no text", in: source, line: line) }
        return Entry(key: key, line: line, pieces: try pieces(of: text, in: source, line: line))
    }

    private static func pieces(
        of text: Substring,
        in source: LanguageSource,
        line: Int
    ) throws(LanguageError) -> [Entry.Piece] {
        var (pieces, rest): ([Entry.Piece], Substring) = ([], text)
        while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[brace] == "{", let end = rest.firstIndex(of: "}"), brace < end else {
                throw error("a brace belongs to a placeholder: {name}", in: source, line: line)
            }
            let name = String(rest[rest.index(after: brace)..<end])
            guard StringsName.isPlaceholder(name) else {
                throw error("`{\(name)}` is no placeholder: its name is letters and digits", in: source, line: line)
            }
            if brace > rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
            pieces.append(.placeholder(name))
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? pieces : pieces + [.text(String(rest))]
    }

    private static func trimmed(_ text: Substring) -> Substring {
        func isSpace(_ character: Character) -> Bool { character == " " || character == "\t" || character == "\r" }
        var text = text.drop(while: isSpace)
        while let last = text.last, isSpace(last) { text.removeLast() }
        return text
    }

    private static func error(_ message: String, in source: LanguageSource, line: Int) -> LanguageError {
        LanguageError(path: source.path, line: line, message: message)
    }
}
