import Billing
import Foundation
import Jobs
import Operations
import Postgres
import Storage
import StoreSimulator
import Testing

@Suite("Each notification that Apple sends") struct AppleRowTests {
    @Test(
        "does what the table says, to subscription, orders and books, also when it comes twice",
        arguments: AppleRow.all
    )
    func row(_ row: AppleRow) async throws {
        let signer = AppleSigner(authority: try TestOffice.authority.get())
        try await TestOffice.run { office in
            for message in row.before + [row.message, row.message] {
                _ = try await office.backOffice.receiveNotification(try signer.sign(message), from: .apple)
                _ = try await office.worker.drain()
            }
            let state = try await office.lines(
                """
                SELECT concat_ws(' ', state, last_error) FROM store_notifications
                WHERE type = \(row.type) AND coalesce(subtype, '') = \(row.subtype ?? "")
                ORDER BY received_at DESC, id DESC LIMIT 1
                """
            )
            #expect(state == [row.state])
            #expect(try await office.count("store_notifications") == row.before.count + 1)
            let subscriptions = try await office.lines(
                """
                SELECT concat_ws(' ', s.state, s.transaction_id, p.name)
                FROM subscriptions s LEFT JOIN products p ON p.id = s.product_id
                """
            )
            #expect(subscriptions == [row.subscription].compactMap(\.self))
            let orders = try await office.lines(
                "SELECT concat_ws(' ', transaction_id, kind, status) FROM orders ORDER BY transaction_id"
            )
            #expect(orders == row.orders)
            for fact in row.facts {
                #expect(try await office.lines(Query(unsafe: fact.query)) == fact.rows, "\(fact.query)")
            }
        }
    }

    @Test("the table has all 39 of them, each once")
    func complete() {
        #expect(AppleRow.all.map(\.number) == Array(1...39))
        #expect(Set(AppleRow.all.map { "\($0.type)/\($0.subtype ?? "")" }).count == 39)
    }
}
