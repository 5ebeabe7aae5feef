/// The plural forms of CLDR (https://cldr.unicode.org/index/cldr-spec/plural-rules).
enum PluralForm: String, CaseIterable {
    case zero, one, two, few, many, other

    /// The forms that whole numbers take in a language, each with the Swift that asks for it; the last needs none.
    ///
    /// Chinese has no plural; English and Turkish tell 1 from the rest. nil for a language whose rules are not here.
    static func forms(of language: String) -> [(form: PluralForm, condition: String)]? {
        switch language {
        case "en", "tr": [(.one, "count.magnitude == 1"), (.other, "true")]
        case "zh-Hans": [(.other, "true")]
        default: nil
        }
    }
}
