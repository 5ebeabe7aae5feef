import Billing
package import Foundation
import HTTP
package import Hummingbird
package import Operations
package import Storage

extension StaffRequest {
    /// The reason that the form gives.
    package func reason() throws -> Reason {
        try Reason(category: form.single("category"), text: form.single("reason"))
    }

    /// The form's one-time key.
    ///
    /// - Parameter command: everything that the form asks for.
    package func key(for command: String...) throws -> IdempotencyKey {
        try IdempotencyKey(form.single("key") ?? "", of: session.staff.uuid, for: [request.uri.path] + command)
    }

    /// Answers an action: to the page that shows it, which says once what was done.
    package func done(_ outcome: ActionOutcome, see path: String) -> Response {
        done(outcome.auditEntry, see: path)
    }

    package func done(_ auditEntry: UUID, see path: String) -> Response {
        var response = Response.seeOther(path)
        response.addCookie(cookies.set(cookies.done, auditEntry.uuidString.lowercased(), maxAge: 300))
        return response
    }
}
