import Billing
import Operations

extension OperationsError {
    /// The same with the fields as the admin API names them: a conflict says what it is about, too.
    func forPrograms() -> OperationsError {
        var error = self
        if error.problems.isEmpty, let field = conflictingField {
            error.problems = [FieldProblem(field, .other(message))]
        }
        for index in error.problems.indices {
            switch error.problems[index].field {
            case "plan": error.problems[index].field = "planType"
            case "key": error.problems[index].field = "Idempotency-Key"
            case _: break
            }
        }
        return error
    }

    /// The same with a field as this operation calls it.
    func renaming(_ field: String, to name: String) -> OperationsError {
        var error = self
        for index in error.problems.indices where error.problems[index].field == field {
            error.problems[index].field = name
        }
        return error
    }

    private var conflictingField: String? {
        if code == .stale { return "version" }
        guard code == .conflict, let refused = underlying as? ActionRefused else { return nil }
        return refused.code == .changedSince ? "action" : "of"
    }
}
