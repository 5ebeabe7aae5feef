import Billing
import Foundation
import Operations
import Postgres
import Storage
import Testing

extension ChangeEntitlementTests {
    @Test("fifty identical posts with one key give one grant, one entry, and all the same answer")
    func sameKey() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let customer = try await office.customer("c1")
            let version = try await office.entitlementSources(customer).fingerprint
            let key = try office.key("k1", admin)
            let outcomes = try await withThrowingTaskGroup(of: ActionOutcome.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await office.backOffice.change(
                            customer,
                            of: app,
                            .grant(plan: "PRO", .days(7)),
                            reason: Self.reason,
                            key: key,
                            version: version,
                            caller: admin
                        )
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(outcomes.map(\.auditEntry)).count == 1)
            #expect(outcomes.filter { !$0.isRepeated }.count == 1)
            #expect(try await office.count("grants") == 1)
            #expect(try await office.lines("SELECT action FROM audit_entries WHERE action LIKE 'access.%'").count == 1)
        }
    }

    @Test("of two people at once one wins, and the other is told that it has changed")
    func twoPeople() async throws {
        try await TestOffice.run { office in
            let app = try await office.app()
            let people = [
                try await office.staff("ada@example.com", .admin), try await office.staff("bob@example.com", .admin),
            ]
            for round in 0..<20 {
                let customer = try await office.customer("c\(round)")
                let version = try await office.entitlementSources(customer).fingerprint
                let results = await withTaskGroup(of: OperationsError.Code?.self) { group in
                    for person in people {
                        group.addTask {
                            await rejectionReason {
                                try await office.backOffice.change(
                                    customer,
                                    of: app,
                                    .grant(plan: "PRO", .days(7)),
                                    reason: Self.reason,
                                    key: try office.key("r\(round)", person),
                                    version: version,
                                    caller: person
                                )
                            }?.0
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(results.filter { $0 == nil }.count == 1, "round \(round)")
                #expect(results.contains(.stale), "round \(round)")
                #expect(try await office.entitlementSources(customer).grants.count == 1, "round \(round)")
            }
        }
    }

    @Test("what a store says meanwhile makes the form stale too")
    func storeMeanwhile() async throws {
        try await TestOffice.run { office in
            let (app, admin) = (try await office.app(), try await office.staff("ada@example.com", .admin))
            let token = UUID()
            let (customer, subscription) = try await office.buyer(token)
            let version = try await office.entitlementSources(customer).fingerprint
            let today = (TestOffice.start.timeIntervalSince1970 - 1_735_689_600) / 86_400
            try await office.live(
                .told(.renewed, on: today + 1, .sold("t2", from: today + 29, to: today + 59, to: token))
            )
            let refused = await rejectionReason {
                try await office.backOffice.change(
                    customer,
                    of: app,
                    .extend(.subscription(subscription), days: 3),
                    reason: Self.reason,
                    key: nil,
                    version: version,
                    caller: admin
                )
            }
            #expect(refused?.0 == .stale)
            #expect(try await office.count("grants") == 0)
        }
    }
}
