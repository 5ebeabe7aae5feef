/// A text that opens something: a key, a password. It is never printed, logged or compared in words.
package struct Secret: Hashable, Sendable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    /// The text itself, for who signs with it or seals it.
    package var revealed: String { text }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "(secret)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
