/// The bytes of one language file.
struct LanguageSource {
    /// The file below `Languages`, such as `tr/orders.strings` or `tr/metrics/access.strings`.
    let name: String
    /// The file as diagnostics print it.
    let path: String
    let bytes: [UInt8]

    /// `tr`
    var language: String { String(name.prefix { $0 != "/" }) }

    /// `orders`; the folder that a file stands in says nothing.
    var area: String { String((name.split(separator: "/").last ?? "").dropLast(".strings".count)) }
}
