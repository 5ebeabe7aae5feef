import Operations
import Storage

extension BackOffice {
    /// Changes an account as the operator.
    func change(_ email: String, _ change: StaffChange) async throws {
        let reason = Reason(.testing, "for the test of it")
        try await self.change(try await staff(email).id, change, reason: reason, caller: .commandLine)
    }
}
