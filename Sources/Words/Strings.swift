package import Storage

/// Everything the pages say, in one language. Each key of `Languages` is a property or function of it.
package struct Strings: Sendable, Hashable {
    package let language: Language

    package init(_ language: Language) {
        self.language = language
    }

    /// For `<html lang>` and `Content-Language` (BCP 47).
    package var tag: StaticString { pick(en: "en", tr: "tr", zhHans: "zh-Hans") }

    /// The language's name in the language itself.
    package var ownName: StaticString { pick(en: "English", tr: "Türkçe", zhHans: "简体中文") }

    /// The language's choice of constant text; nothing is made for it.
    package func pick(en: StaticString, tr: StaticString, zhHans: StaticString) -> StaticString {
        switch language {
        case .english: en
        case .turkish: tr
        case .chinese: zhHans
        }
    }

    /// The language's choice of text that is put together; only that one is.
    package func say(
        en: @autoclosure () -> String,
        tr: @autoclosure () -> String,
        zhHans: @autoclosure () -> String
    ) -> String {
        switch language {
        case .english: en()
        case .turkish: tr()
        case .chinese: zhHans()
        }
    }
}
