import Billing
import Foundation
import Hummingbird
import Operations
import Storage

extension StaffCall {
    /// The reason that the form gives.
    func reason() throws -> Reason {
        try Reason(category: form.single("category"), text: form.single("reason"))
    }

    /// The form's one-time key.
    ///
    /// - Parameter wish: everything that the form asks for.
    func key(for wish: String...) throws -> ActionKey {
        try ActionKey(form.single("key") ?? "", of: session.staff.uuid, for: [request.uri.path] + wish)
    }

    /// Answers a deed: to the page that shows it, which says once what was done.
    func done(_ outcome: ActionOutcome, see path: String) -> Response {
        var response = Response.seeOther(path)
        response.addCookie(cookies.set(cookies.done, outcome.auditEntry.uuidString.lowercased(), maxAge: 300))
        return response
    }
}

extension FormField {
    /// What is wrong with fields of these names, in words.
    static func problems(in error: any Error) -> [String: String] {
        guard let error = error as? OperationsError else { return [:] }
        return Dictionary(error.problems.map { ($0.field, $0.message) }) { first, _ in first }
    }

    /// The two fields that every deed has: what kind of reason, and which.
    static func reason(category: String?, text: String?, problems: [String: String] = [:]) -> [FormField] {
        let options = Reason.Category.allCases.map { Option(value: $0.rawValue, label: Self.label($0)) }
        return [
            FormField(
                "category",
                "Category",
                value: category,
                .select([Option(value: "", label: "Choose…")] + options),
                problem: problems["category"]
            ),
            FormField(
                "reason",
                "Reason",
                value: text,
                hint: "10 to 500 characters, kept in the audit log",
                .area,
                problem: problems["reason"]
            ),
        ]
    }

    private static func label(_ category: Reason.Category) -> String {
        switch category {
        case .customerRequest: "The customer asked"
        case .mistakenPurchase: "Bought by mistake"
        case .serviceFailure: "Something of ours failed"
        case .goodwill: "Goodwill"
        case .fraud: "Fraud"
        case .testing: "Test account"
        case .correction: "Puts an earlier action right"
        case .other: "Something else"
        }
    }
}
