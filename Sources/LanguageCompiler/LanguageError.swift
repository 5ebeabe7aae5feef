/// A mistake in a language file, and its place; printed the way compilers print it.
struct LanguageError: Error, Equatable, CustomStringConvertible {
    var path: String
    var line: Int
    var message: String

    var description: String { "\(path):\(line):1: error: \(message)" }
}

/// Everything that is wrong with a set of language files.
struct LanguageErrors: Error, Equatable {
    var errors: [LanguageError]
}
