import APITypes
import HTTP
import Words

/// A parameter or a field as the reference shows it.
struct FieldText: Sendable {
    let name: BreakableText
    let type: String
    let isRequired: Bool
    let meaning: MarkedText?
    /// The place where its own fields are shown already.
    let sameAs: String?
    let rules: [Rule]

    /// A constraint on its values, said in code: "Length 1–255".
    struct Rule: Sendable {
        let label: String
        let codes: [String]
    }

    init(_ parameter: APIParameter, _ strings: Strings) {
        let place = Rule(label: strings.referencePlace.description, codes: [parameter.place.rawValue])
        name = BreakableText(parameter.name)
        type = parameter.schema.typeText
        isRequired = parameter.isRequired
        meaning = parameter.meaning.map(MarkedText.init)
        sameAs = nil
        rules = [place] + Self.rules(of: parameter.schema, isAnswered: false, strings)
    }

    /// - Parameter isAnswered: true if it stands in an answer, where later versions may have other values.
    init(_ field: SchemaField, isAnswered: Bool, _ strings: Strings) {
        name = BreakableText(field.path)
        type = field.schema.typeText
        isRequired = field.isRequired && !isAnswered
        meaning = field.schema.meaning.map(MarkedText.init)
        sameAs = field.sameAs
        rules = Self.rules(of: field.schema, isAnswered: isAnswered, strings)
    }

    private static func rules(of schema: JSONSchema, isAnswered: Bool, _ strings: Strings) -> [Rule] {
        let value = schema.innermost
        let values = isAnswered ? strings.referenceOpenValues : strings.referenceValues
        let listed = value.values.isEmpty ? [] : [Rule(label: values.description, codes: value.values)]
        let said = (schema.element == nil ? [] : schema.rules) + value.rules
        return listed + said.compactMap { rule(of: $0, strings) }
    }

    private static func rule(of rule: JSONSchema.Rule, _ strings: Strings) -> Rule? {
        switch rule {
        case .oneOf, .format: nil
        case .pattern(let expression): Rule(label: strings.referencePattern.description, codes: [expression])
        case .length(let least, let most):
            Rule(label: strings.referenceLength.description, codes: [range(least, most)])
        case .range(let least, let most):
            Rule(label: strings.referenceRange.description, codes: [range(least, most)])
        case .count(let least, let most):
            Rule(label: strings.referenceCount.description, codes: [range(least, most)])
        case .above(let bound): Rule(label: strings.referenceRange.description, codes: ["> \(bound)"])
        case .preset(let value): Rule(label: strings.referenceDefault.description, codes: [value.text])
        case .example(let value): Rule(label: strings.referenceExample.description, codes: [value.text])
        }
    }

    private static func range(_ least: Int, _ most: Int?) -> String {
        most.map { "\(least)–\($0)" } ?? "≥ \(least)"
    }
}
