/// Gathers everything that is wrong with the fields of a form or request, so that all of it is said at once.
package struct FieldProblems: Sendable {
    package private(set) var found: [FieldProblem] = []

    package init() {}

    package mutating func add(_ problem: FieldProblem) { found.append(problem) }

    /// The value that `body` reads; nil if a field breaks a rule, whose problem is then collected.
    ///
    /// - Throws: all other errors.
    package mutating func read<Value>(_ body: () throws -> Value) throws -> Value? {
        do {
            return try body()
        } catch let error as OperationsError where error.code == .invalid && !error.problems.isEmpty {
            found += error.problems
            return nil
        }
    }

    /// - Throws: `OperationsError` with `.invalid` and all that was gathered.
    package func check() throws(OperationsError) {
        guard found.isEmpty else { throw error }
    }

    /// One problem for each field: the first that was found.
    package var error: OperationsError {
        var named: Set<String> = []
        return OperationsError(problems: found.filter { named.insert($0.field).inserted })
    }
}
