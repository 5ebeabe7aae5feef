import Operations

extension Strings {
    func name(of category: Reason.Category) -> StaticString {
        switch category {
        case .customerRequest: actionsReasonCustomerRequest
        case .mistakenPurchase: actionsReasonMistakenPurchase
        case .serviceFailure: actionsReasonServiceFailure
        case .goodwill: actionsReasonGoodwill
        case .fraud: actionsReasonFraud
        case .testing: actionsReasonTesting
        case .correction: actionsReasonCorrection
        case .other: actionsReasonOther
        }
    }

    /// What is wrong with a field of a form. The two that every action has are asked for by name.
    func sentence(of problem: FieldProblem) -> String {
        switch (problem.kind, problem.field) {
        case (.missing, "reason"): fieldsMissingReason.description
        case (.missing, "category"): fieldsMissingCategory.description
        case (let kind, _): sentence(of: kind)
        }
    }

    private func sentence(of problem: FieldProblem.Kind) -> String {
        switch problem {
        case .missing: fieldsMissing.description
        case .unknownChoice: fieldsUnknownChoice.description
        case .tooShort(let minimum): fieldsTooShort(count: minimum)
        case .tooLong(let maximum): fieldsTooLong(count: maximum)
        case .notANumber: fieldsNotANumber.description
        case .notADate: fieldsNotADate.description
        case .tooSmall(let minimum): fieldsTooSmall(limit: minimum)
        case .tooLarge(let maximum): fieldsTooLarge(limit: maximum)
        case .notConfirmed: fieldsNotConfirmed.description
        case .taken: fieldsTaken.description
        case .empty: fieldsEmpty.description
        case .onlyOne: fieldsOnlyOne.description
        case .guessable: fieldsGuessable.description
        case .other(let sentence): sentence
        }
    }
}
