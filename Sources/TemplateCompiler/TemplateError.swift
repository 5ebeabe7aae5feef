/// A mistake in a template, and its place; printed the way compilers print it.
struct TemplateError: Error, Equatable, CustomStringConvertible {
    var path: String
    var line: Int
    var column: Int
    var message: String

    var description: String {
        "\(path):\(line):\(column): error: \(message)"
    }
}
