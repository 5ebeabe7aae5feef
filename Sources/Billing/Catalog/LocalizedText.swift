/// A text in the languages of the product, by BCP 47 tag.
package struct LocalizedText: Hashable, Sendable {
    package var texts: [String: String]

    /// The languages of the product, in the order in which another one is taken where the one asked for is missing.
    package static let languages = ["en", "zh-Hans", "tr"]

    package init(_ texts: [String: String] = [:]) {
        self.texts = texts
    }

    package var isEmpty: Bool { texts.isEmpty }

    /// The text in a language, or in the first of `languages` that has one; nil for no text at all.
    package func text(in language: String) -> String? {
        texts[language] ?? Self.languages.lazy.compactMap { texts[$0] }.first
    }
}
