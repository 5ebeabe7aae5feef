package import HTTPTypes
package import Operations

extension HTTPFields {
    /// The value of a header that a request has at most once; nil without it.
    ///
    /// - Throws: `OperationsError` with `.invalid` where it is there more than once: which of them counts is not for us to guess.
    package func single(_ name: HTTPField.Name) throws(OperationsError) -> String? {
        let values = self[values: name]
        guard values.count <= 1 else { throw OperationsError(problems: [FieldProblem(name.rawName, .repeated)]) }
        return values.first
    }
}
