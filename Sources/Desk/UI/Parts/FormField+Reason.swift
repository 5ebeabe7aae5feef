import HTTP
import Operations
import Words

extension FormField {
    /// Returns the problems of the fields in words, by name.
    static func problems(in error: any Error, _ strings: Strings) -> [String: String] {
        guard let error = error as? OperationsError else { return [:] }
        return Dictionary(error.problems.map { ($0.field, strings.sentence(of: $0)) }) { first, _ in first }
    }

    /// The two fields that every action has: what kind of reason, and which.
    static func reason(
        category: String?,
        text: String?,
        problems: [String: String] = [:],
        _ strings: Strings
    ) -> [FormField] {
        let options = Reason.Category.allCases.map { category in
            Option(value: category.rawValue, label: strings.name(of: category).description)
        }
        return [
            FormField(
                "category",
                strings.actionsCategory.description,
                value: category,
                .select([Option(value: "", label: strings.actionsChoose.description)] + options),
                problem: problems["category"]
            ),
            FormField(
                "reason",
                strings.actionsReason.description,
                value: text,
                hint: strings.actionsReasonHint.description,
                .area,
                problem: problems["reason"]
            ),
        ]
    }
}
