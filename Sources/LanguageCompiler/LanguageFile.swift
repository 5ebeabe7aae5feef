/// One language file, read: its words by key, plural forms together.
struct LanguageFile {
    let source: LanguageSource
    /// In the order of the file.
    private(set) var keys: [String] = []
    private(set) var strings: [String: [Entry]] = [:]

    init(_ source: LanguageSource, entries: [Entry]) {
        self.source = source
        for entry in entries {
            if strings[entry.base] == nil { keys.append(entry.base) }
            strings[entry.base, default: []].append(entry)
        }
    }

    /// The mistakes within this file: plural forms that its language does not have, or that are missing.
    var mistakes: [LanguageError] {
        keys.flatMap { key -> [LanguageError] in
            let entries = strings[key] ?? []
            guard entries.contains(where: { $0.form != nil }) else { return [] }
            guard let forms = PluralForm.forms(of: source.language)?.map(\.form) else {
                return [error("the plural rules of \(source.language) are not known to the compiler", at: entries[0])]
            }
            let stray = entries.filter { entry in entry.form.map { !forms.contains($0) } ?? true }
            let missing = forms.filter { form in !entries.contains { $0.form == form } }
            return stray.map { entry in
                let known = forms.map { "`.\($0.rawValue)`" }.joined(separator: " and ")
                return error("`\(key)` is plural; \(source.language) has the forms \(known)", at: entry)
            }
                + missing.map { error("`\(key)` lacks its plural form `.\($0.rawValue)`", at: entries[0]) }
        }
    }

    /// Returns the differences from the file that all others follow: keys that this one has, lacks or uses in another way.
    func differences(from reference: LanguageFile) -> [LanguageError] {
        let strays = keys.filter { reference.strings[$0] == nil }.compactMap { strings[$0]?.first }
        var errors = strays.map { error("`\($0.base)` is not in \(reference.source.path)", at: $0) }
        for key in reference.keys {
            guard let original = reference.strings[key]?.last else { continue }
            guard let entries = strings[key] else {
                errors.append(reference.error("`\(key)` is missing in \(source.path)", at: original))
                continue
            }
            if (original.form == nil) != (entries[0].form == nil) {
                let should = original.form == nil ? "has one form" : "is plural"
                errors.append(error("`\(key)` \(should) in \(reference.source.path)", at: entries[0]))
            }
            errors += entries.compactMap { difference($0, from: original, in: reference) }
        }
        return errors
    }

    /// Each form of each language has the same placeholders; only the number of a plural may be left out.
    private func difference(_ entry: Entry, from original: Entry, in reference: LanguageFile) -> LanguageError? {
        func names(_ entry: Entry) -> [String] {
            entry.placeholders.filter { entry.form == nil || $0 != "count" }.sorted()
        }
        guard names(entry) != names(original) else { return nil }
        func list(_ names: [String]) -> String {
            names.isEmpty ? "no placeholders" : names.map { "{\($0)}" }.joined(separator: ", ")
        }
        let message =
            "`\(entry.key)` has \(list(names(entry))), but \(list(names(original))) in line \(original.line) of "
            + reference.source.path
        return error(message, at: entry)
    }

    func error(_ message: String, at entry: Entry) -> LanguageError {
        LanguageError(path: source.path, line: entry.line, message: message)
    }
}
