import NIOCore
import Operations

extension ByteBuffer {
    /// The text of a JSON body, which is UTF-8 without a byte order mark (RFC 8259, 8.1); decoders guess other
    /// encodings.
    package func jsonText() throws(WebError) -> String {
        // In UTF-16 and UTF-32 every sign of JSON has a NUL next to it; in UTF-8 none has.
        guard let text = String(validating: readableBytesView, as: UTF8.self), !text.utf8.contains(0),
            text.unicodeScalars.first != "\u{FEFF}"
        else { throw WebError(.badRequest, "The body is not JSON in UTF-8.") }
        return text
    }
}

extension SentMembers {
    /// Refuses a name that its object has twice.
    ///
    /// - Parameter text: JSON.
    package static func requireNamesOnce(in text: String) throws(WebError) {
        guard let name = SentMembers(text).repeated else { return }
        throw WebError(FieldProblem(name, .repeated))
    }
}
