/// A seat of a purchaser's group for a member, as an app's server asks for it.
package struct SeatRequest: Sendable, Hashable {
    /// The app's own id of whoever bought the group.
    package var purchaser: String
    /// The app's own id of the member; who is named for the first time is made.
    package var member: String
    /// The group, where the purchaser has several; nil for the one that runs.
    package var originalTransactionID: String?
    /// The member's account at the store, where the app knows it.
    package var appTransactionID: String?

    /// - Throws: `OperationsError` with everything that is wrong with the fields.
    package init(
        purchaser: String,
        member: String?,
        originalTransactionID: String?,
        appTransactionID: String?
    ) throws(OperationsError) {
        var problems: [FieldProblem] = []
        if let member {
            problems += PurchaseRequest.problems(ofExternalID: member, field: "member")
        } else {
            problems.append(FieldProblem("member", .missing))
        }
        for (name, value) in [
            ("originalTransactionId", originalTransactionID), ("appTransactionId", appTransactionID),
        ] {
            guard let value else { continue }
            let isDigits = value.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !(1...64).contains(value.utf8.count) || !isDigits else { continue }
            problems.append(FieldProblem(name, .other("An id of Apple is up to 64 digits.")))
        }
        guard let member, problems.isEmpty else { throw OperationsError(problems: problems) }
        (self.purchaser, self.member) = (purchaser, member)
        (self.originalTransactionID, self.appTransactionID) = (originalTransactionID, appTransactionID)
    }
}
