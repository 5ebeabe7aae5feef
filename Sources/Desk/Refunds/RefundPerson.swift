import Billing
import HTTP
import Operations
package import Storage

/// The viewer of a refund request, with what they may do with it.
package struct RefundPerson: Sendable {
    package var staff: Staff.ID
    package var role: StaffRole

    package init(staff: Staff.ID, role: StaffRole) {
        self.staff = staff
        self.role = role
    }

    var requests: Bool { role.may(.requestRefunds) }
    var decides: Bool { role.may(.decideRefunds) }

    /// Four eyes: they asked for it, and the app does not let them approve it too; nil when they may.
    func bar(from details: RefundDetails) -> SelfApprovalBar? {
        let request = details.request
        guard request.requested.staff == staff else { return nil }
        return details.policy.selfApprovalBar(of: details.weight.amount, after: details.weight.before)
    }

    func mayCancel(_ request: RefundRequest) -> Bool {
        Caller(.staff(staff), actor: "", role: role).mayCancel(request)
    }
}
