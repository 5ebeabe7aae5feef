import Billing
package import Operations

extension OperationsError {
    /// The same with the fields as the admin API names them: a conflict says what it is about, too.
    package func forPrograms() -> OperationsError {
        var error = self
        if error.problems.isEmpty, let field = conflictingField {
            error.problems = [FieldProblem(field, .other(message))]
        }
        return error.renamingFields { field in
            switch field {
            case "plan": "planType"
            case "key": "Idempotency-Key"
            case _: field
            }
        }
    }

    /// The same with a field as this operation calls it.
    package func renaming(_ field: String, to name: String) -> OperationsError {
        renamingFields { $0 == field ? name : $0 }
    }

    private var conflictingField: String? {
        if code == .stale { return "version" }
        guard code == .conflict, let refused = underlying as? ActionRefused else { return nil }
        return refused.code == .changedSince ? "action" : "of"
    }
}
