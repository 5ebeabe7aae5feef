/// Something that an app's plans include, with or without a limit.
package struct Feature: Hashable, Sendable {
    /// The app's own: `ai`, `voice-chat`.
    package var code: String

    package init(code: String) {
        self.code = code
    }

    /// In characters.
    package static let longestCode = 64

    /// True if a text is a valid code: lower-case letters and digits, with single hyphens between them.
    package static func isCode(_ text: String) -> Bool {
        text.utf8.count <= longestCode && text.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil
    }
}
