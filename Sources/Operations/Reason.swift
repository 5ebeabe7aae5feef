import Foundation

/// A person's reason for an action that the audit log keeps (dashboard.md, rule 33).
package struct Reason: Sendable, Hashable {
    package let category: Category
    package let text: String

    /// The category of a reason; the dashboard has a text for each.
    package enum Category: String, Sendable, CaseIterable {
        case customerRequest = "customer_request"
        case mistakenPurchase = "mistaken_purchase"
        /// A service of ours did not work.
        case serviceFailure = "service_failure"
        case goodwill
        case fraud
        case testing
        /// An earlier action was wrong.
        case correction
        case other
    }

    /// In characters as a reader sees them, in every script.
    package static let length = 10...500

    /// - Throws: `OperationsError` with `.invalid` and what is wrong with `category` and `reason`.
    package init(category: String?, text: String?) throws(OperationsError) {
        let text = (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
        let known = category.flatMap { Category(rawValue: $0) }
        var problems: [FieldProblem] = []
        if known == nil {
            problems.append(FieldProblem("category", category?.isEmpty ?? true ? .missing : .unknownChoice))
        }
        switch text.count {
        case 0: problems.append(FieldProblem("reason", .missing))
        case ..<Self.length.lowerBound: problems.append(FieldProblem("reason", .tooShort(Self.length.lowerBound)))
        case (Self.length.upperBound + 1)...: problems.append(FieldProblem("reason", .tooLong(Self.length.upperBound)))
        case _: break
        }
        guard let known, problems.isEmpty else { throw OperationsError(problems: problems) }
        (self.category, self.text) = (known, text)
    }

    package init(_ category: Category, _ text: String) {
        (self.category, self.text) = (category, text)
    }

    /// "goodwill: The reader crashed all day." as the audit log keeps it.
    package var forAudit: String { "\(category.rawValue): \(text)" }
}
