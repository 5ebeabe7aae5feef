/// The place a value stands in, which decides how it is escaped.
package enum HTMLContext {
    /// Between elements. What is written from right to left, or turns the writing round, stands in a `<bdi>` of its own,
    /// without the characters that turn it.
    case text
    /// In `<title>`, `<textarea>`, `<option>` and the text of SVG, where no element may stand.
    case content
    /// In a quoted attribute.
    case attribute
    /// At the start of a URL in a quoted attribute.
    case url
    /// Within a URL that has already begun.
    case component
}

/// A value that a template can show.
///
/// A type of our own conforms by passing its text on: `text.write(into: &html, as: context)`.
package protocol HTMLRenderable {
    func write(into html: inout HTMLBuffer, as context: HTMLContext)
}

extension String: HTMLRenderable {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {
        html.escape(utf8: utf8, as: context)
    }
}

extension Substring: HTMLRenderable {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {
        html.escape(utf8: utf8, as: context)
    }
}

extension StaticString: HTMLRenderable {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {
        withUTF8Buffer { html.escape(UnsafeRawBufferPointer($0), as: context) }
    }
}

@available(*, unavailable, message: "unwrap it with {{#if let name = …}} or {{#with … as name}}")
extension Optional: HTMLRenderable {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {}
}

@available(*, unavailable, message: "trusted HTML is written with {{{ }}}, between elements")
extension TrustedHTML: HTMLRenderable {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {}
}
