import Billing
import Operations
package import Storage

/// Somebody who looks at a refund request, as far as it matters what they may do with it.
package struct RefundPerson: Sendable {
    package var staff: Staff.ID
    package var role: StaffRole

    package init(staff: Staff.ID, role: StaffRole) {
        self.staff = staff
        self.role = role
    }

    var requests: Bool { role.may(.requestRefunds) }
    var decides: Bool { role.may(.decideRefunds) }

    /// Four eyes: they asked for it, and the app does not let them approve it too.
    func isBarred(from details: RefundDetails) -> Bool {
        let request = details.request
        return request.requested.staff == staff && !details.policy.allowsSelfApproval(of: request.refund.requested)
    }

    func mayCancel(_ request: RefundRequest) -> Bool {
        Caller(staff: staff, actor: "", role: role).mayCancel(request)
    }
}
