/// The bytes of one language file.
struct LanguageSource {
    /// The file below `Languages`, such as `tr/orders.strings`.
    let name: String
    /// The file as diagnostics print it.
    let path: String
    let bytes: [UInt8]

    /// `tr`
    var language: String { String(name.prefix { $0 != "/" }) }

    /// `orders`
    var area: String { String(name.drop { $0 != "/" }.dropFirst().dropLast(".strings".count)) }
}
