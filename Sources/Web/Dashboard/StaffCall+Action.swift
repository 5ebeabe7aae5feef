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
    static func problems(in error: any Error, _ words: Words) -> [String: String] {
        guard let error = error as? OperationsError else { return [:] }
        return Dictionary(error.problems.map { ($0.field, words.sentence(of: $0.kind)) }) { first, _ in first }
    }

    /// The two fields that every deed has: what kind of reason, and which.
    static func reason(
        category: String?,
        text: String?,
        problems: [String: String] = [:],
        _ words: Words
    ) -> [FormField] {
        let options = Reason.Category.allCases.map { category in
            Option(value: category.rawValue, label: words.name(of: category).description)
        }
        return [
            FormField(
                "category",
                words.actionsCategory.description,
                value: category,
                .select([Option(value: "", label: words.actionsChoose.description)] + options),
                problem: problems["category"]
            ),
            FormField(
                "reason",
                words.actionsReason.description,
                value: text,
                hint: words.actionsReasonHint.description,
                .area,
                problem: problems["reason"]
            ),
        ]
    }
}
