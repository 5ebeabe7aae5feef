import Operations

extension FormField {
    /// What is wrong with fields of these names, in words.
    static func problems(in error: any Error, _ words: Words) -> [String: String] {
        guard let error = error as? OperationsError else { return [:] }
        return Dictionary(error.problems.map { ($0.field, words.sentence(of: $0.kind)) }) { first, _ in first }
    }

    /// The two fields that every deed has: what kind of reason, and which.
    static func reason(
        category: String?,
        text: String?,
        problems: [String: String] = [:],
        _ words: Words
    ) -> [FormField] {
        let options = Reason.Category.allCases.map { category in
            Option(value: category.rawValue, label: words.name(of: category).description)
        }
        return [
            FormField(
                "category",
                words.actionsCategory.description,
                value: category,
                .select([Option(value: "", label: words.actionsChoose.description)] + options),
                problem: problems["category"]
            ),
            FormField(
                "reason",
                words.actionsReason.description,
                value: text,
                hint: words.actionsReasonHint.description,
                .area,
                problem: problems["reason"]
            ),
        ]
    }
}
