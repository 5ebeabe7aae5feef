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
    ///
    /// - Parameter answer: tells a store that decides for itself how much it should pay back; nil for the proposed one.
    func bar(from details: RefundDetails, telling answer: RefundPreference? = nil) -> SelfApprovalBar? {
        let request = details.request
        guard request.requested.staff == staff else { return nil }
        let weight = details.weight(telling: answer ?? details.proposedGrant)
        return details.policy.selfApprovalBar(of: weight.amount, after: weight.before)
    }

    func mayCancel(_ request: RefundRequest) -> Bool {
        Caller(.staff(staff), actor: "", role: role).mayCancel(request)
    }
}
