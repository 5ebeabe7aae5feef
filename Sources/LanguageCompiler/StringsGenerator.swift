/// Writes the Swift of one area of words.
///
/// Text without placeholders is a `StaticString` that is picked by language, so that it costs nothing to have; the rest is
/// a function. `Strings` itself brings `pick`, `say` and `number`, with one argument for each language.
struct StringsGenerator {
    /// The area in every language, the one that the others follow first.
    let files: [LanguageFile]

    var swift: String {
        let lines = files[0].keys.flatMap(accessor)
        return (["extension Strings {"] + lines + ["}", ""]).joined(separator: "\n")
    }

    private func accessor(for key: String) -> [String] {
        let entries = files.map { $0.strings[key] ?? [] }
        let name = StringsName.accessor(for: key)
        let isPlural = entries[0].contains { $0.form != nil }
        let placeholders = entries.joined().reduce(into: Set<String>()) { $0.formUnion($1.placeholders) }
        guard isPlural || !placeholders.isEmpty else {
            return ["    package var \(name): StaticString { pick(\(choices(of: entries))) }"]
        }
        let parameters = placeholders.union(isPlural ? ["count"] : []).sorted().map { placeholder in
            "\(placeholder): \(isPlural && placeholder == "count" ? "Int" : "String")"
        }
        return [
            "    package func \(name)(\(parameters.joined(separator: ", "))) -> String {",
            "        say(\(choices(of: entries)))",
            "    }",
        ]
    }

    private func choices(of entries: [[Entry]]) -> String {
        zip(files, entries).map { file, entries in
            "\(Self.label(of: file.source.language)): \(choice(entries, language: file.source.language))"
        }.joined(separator: ", ")
    }

    private func choice(_ entries: [Entry], language: String) -> String {
        guard entries.contains(where: { $0.form != nil }) else { return literal(entries[0]) }
        let forms = (PluralForm.forms(of: language) ?? []).compactMap { form, condition in
            entries.first { $0.form == form }.map { (text: literal($0), condition: condition) }
        }
        let (last, others) = (forms.last?.text ?? "", forms.dropLast())
        return others.map { "\($0.condition) ? \($0.text) : " }.joined() + last
    }

    private func literal(_ entry: Entry) -> String {
        let text = entry.pieces.map { piece in
            switch piece {
            case .text(let text): Self.escaped(text)
            case .placeholder("count") where entry.form != nil: "\\(number(count))"
            case .placeholder(let name): "\\(isolated(\(name)))"
            }
        }
        return "\"\(text.joined())\""
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\t", with: "\\t")
    }

    /// `zh-Hans` is called `zhHans`.
    private static func label(of language: String) -> String {
        language.split(separator: "-").joined()
    }
}
