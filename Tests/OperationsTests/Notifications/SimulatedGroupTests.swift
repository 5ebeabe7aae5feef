import Billing
import Foundation
import Gateways
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("The life of a group that a simulated App Store tells") struct SimulatedGroupTests {
    private static func day(_ number: Double) -> Date { TestOffice.start.addingTimeInterval((number - 28) * 86_400) }

    @Test("is paid for once, in any order of arrival: seats, members, an addition, a refund of some and a member gone")
    func life() async throws {
        var group = SimulatedGroup(originalID: "410000000000001", seats: 8, from: Self.day(0), to: Self.day(30))
        let told = [
            group.bought(), group.join("420000000000001", account: "a1", at: Self.day(2)),
            group.join("420000000000002", account: "a2", at: Self.day(3)),
            group.add(2, as: "410000000000002", at: Self.day(10)), group.refund(3, at: Self.day(12)),
            group.leave("420000000000001", account: "a1", joinedAt: Self.day(2), at: Self.day(14)),
            group.change(to: 5, at: Self.day(20)), group.unclaim(["c1"], at: Self.day(21)),
        ]
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        for messages in [told, told.reversed()] {
            try await TestOffice.run { office in
                for message in messages {
                    _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                    _ = try await office.worker.drain()
                }
                #expect(
                    try await office.lines("SELECT DISTINCT state FROM store_notifications") == ["processed"]
                )
                #expect(
                    try await office.lines(
                        """
                        SELECT concat_ws(' ', transaction_id, kind, status, amount, quantity, refunded, revoked_seats)
                        FROM orders ORDER BY transaction_id
                        """
                    ) == [
                        "410000000000001 initial_purchase partially_refunded 7392 8 2772 3",
                        "410000000000002 upgrade completed 1598 2 0 0",
                    ]
                )
                #expect(
                    try await office.lines(
                        """
                        SELECT concat_ws(' ', original_transaction_id, state, is_assigned, seats, revoked_seats, renewal_seats)
                        FROM subscriptions ORDER BY 1
                        """
                    ) == [
                        "410000000000001 active f 10 3 5", "420000000000001 revoked t", "420000000000002 active t",
                    ]
                )
                // 73.92, then with two seats more 89.90, then without three of eight 62.18.
                #expect(
                    try await office.lines(
                        """
                        SELECT price::text FROM access_periods
                        WHERE retired_at IS NULL AND NOT is_family_shared ORDER BY starts_at
                        """
                    ) == ["7392", "8990", "6218"]
                )
            }
        }
    }
}
