/// Finished HTML that a template writes unescaped, with `{{{ }}}`.
///
/// The maker of one answers for its being safe; text from outside goes through the buffer's escaping methods.
package struct TrustedHTML: Sendable {
    let bytes: [UInt8]

    package init(trusting html: String) {
        bytes = Array(html.utf8)
    }

    /// Collects what the closure writes, each value escaped by the method it is written with.
    package init(_ write: (inout HTMLBuffer) -> Void) {
        var html = HTMLBuffer(capacity: 1_024)
        write(&html)
        bytes = html.withUnsafeBytes { Array($0) }
    }
}
