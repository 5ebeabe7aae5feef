package import Operations
import Words

extension Strings {
    package func name(of category: Reason.Category) -> StaticString {
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

    /// Returns the sentence that says what is wrong with a field of a form, and what to type.
    package func sentence(of problem: FieldProblem) -> String {
        switch (problem.kind, problem.field) {
        case (.missing, let field): missing(field).description
        case (.unknownChoice, "receiver"): fieldsUnknownReceiver.description
        case (.notANumber, "amount"): fieldsNotAnAmount.description
        case (.notANumber, "days"): fieldsNotDays.description
        case (.tooLarge(let limit), "amount"): fieldsTooLargeAmount(limit: limit)
        case (let kind, _): sentence(of: kind)
        }
    }

    private func missing(_ field: String) -> StaticString {
        switch field {
        case "reason": fieldsMissingReason
        case "category": fieldsMissingCategory
        case "amount": fieldsMissingAmount
        case "days": fieldsMissingDays
        case "until": fieldsMissingDate
        case "plan": fieldsMissingPlan
        case "kind", "of": fieldsUnknownChoice
        case "receiver": fieldsMissingReceiver
        case "text": fieldsMissingNote
        case "name": fieldsMissingName
        case "email": fieldsMissingEmail
        case "role": fieldsMissingRole
        case "app": fieldsMissingApp
        case "lines": fieldsMissingLines
        case "reference": fieldsMissingReference
        case "password", "old": fieldsMissingPassword
        case "code": fieldsMissingCode
        case _: fieldsMissing
        }
    }

    /// The same where nothing is known of the field.
    package func sentence(of problem: FieldProblem.Kind) -> String {
        switch problem {
        case .missing: fieldsMissing.description
        case .unknownChoice: fieldsUnknownChoice.description
        case .unknownName: fieldsUnknownName.description
        case .tooShort(let minimum): fieldsTooShort(count: minimum)
        case .tooLong(let maximum): fieldsTooLong(count: maximum)
        case .notANumber: fieldsNotANumber.description
        case .notADate: fieldsNotADate.description
        case .notPositive: fieldsNotPositive.description
        case .tooSmall(let minimum): fieldsTooSmall(limit: minimum)
        case .tooLarge(let maximum): fieldsTooLarge(limit: maximum)
        case .notConfirmed: fieldsNotConfirmed.description
        case .taken: fieldsTaken.description
        case .empty: fieldsEmpty.description
        case .onlyOne: fieldsOnlyOne.description
        case .guessable: fieldsGuessable.description
        case .lineTooLong(let maximum): fieldsLineTooLong(count: maximum)
        case .unknownColumn(let name): fieldsUnknownColumn(name: name)
        case .repeatedColumn(let name): fieldsRepeatedColumn(name: name)
        case .noCustomerColumn: fieldsNoCustomerColumn.description
        case .shortenedNumber(let text, let line): fieldsShortenedNumber(line: "\(line)", text: text)
        case .noPeriod: refundsWhyNoPeriod.description
        case .periodOver: refundsWhyPeriodOver.description
        case .tooMany(let maximum): fieldsTooMany(limit: "\(maximum)")
        case .wrongType: fieldsWrongType.description
        case .unfit: fieldsUnfit.description
        case .repeated: fieldsRepeated.description
        case .unknownParameter(let known): fieldsUnknownParameter(names: known.joined(separator: ", "))
        case .nul: fieldsNul.description
        case .tooLongAgo(let days): fieldsTooLongAgo(number: "\(days)")
        case .inFuture: fieldsInFuture.description
        case .rule(let code): sentence(of: code).description
        case .other(let sentence): sentence
        }
    }
}
