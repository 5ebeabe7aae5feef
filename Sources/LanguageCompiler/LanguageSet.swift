/// Compiles all language files of a target together, since each area must say the same in every language.
enum LanguageSet {
    /// The language whose files the others follow.
    static let reference = "en"

    /// The Swift of each area, or everything that is wrong.
    static func compile(_ sources: [LanguageSource]) -> Result<[(area: String, swift: String)], LanguageErrors> {
        var errors: [LanguageError] = []
        var files: [String: [String: LanguageFile]] = [:]
        for source in sources {
            switch EntryParser.entries(of: source) {
            case .failure(let failure): errors += failure.errors
            case .success(let entries):
                let file = LanguageFile(source, entries: entries)
                errors += file.mistakes
                files[source.area, default: [:]][source.language] = file
            }
        }
        guard errors.isEmpty else { return .failure(LanguageErrors(errors: errors)) }

        let languages = [reference] + Set(sources.map(\.language)).subtracting([reference]).sorted()
        for (_, byLanguage) in files.sorted(by: { $0.key < $1.key }) {
            errors += differences(byLanguage, languages: languages)
        }
        guard errors.isEmpty else { return .failure(LanguageErrors(errors: errors)) }
        return .success(
            files.sorted { $0.key < $1.key }.map { area, files in
                (area, StringsGenerator(files: languages.compactMap { files[$0] }).swift)
            }
        )
    }

    private static func differences(_ files: [String: LanguageFile], languages: [String]) -> [LanguageError] {
        guard let original = files[reference] else {
            return files.values.map { file in
                LanguageError(path: file.source.path, line: 1, message: "this area is not in the language \(reference)")
            }
        }
        return original.differences(from: original)
            + languages.dropFirst().flatMap { language -> [LanguageError] in
                guard let file = files[language] else {
                    let message = "this area is missing in the language \(language)"
                    return [LanguageError(path: original.source.path, line: 1, message: message)]
                }
                return file.differences(from: original)
            }
    }
}
