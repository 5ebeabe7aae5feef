package import Operations

extension String? {
    /// - Throws: `OperationsError` with `.invalid` and the field.
    package func required(_ field: String) throws(OperationsError) -> String {
        guard let self, !self.isEmpty else { throw OperationsError(problems: [FieldProblem(field, .missing)]) }
        return self
    }
}
