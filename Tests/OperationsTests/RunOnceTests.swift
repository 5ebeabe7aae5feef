import Foundation
import Operations
import Postgres
import Storage
import Testing

@Suite("Actions under a key") struct RunOnceTests {
    private static let owner = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    @Test("fifty at once with the same key have one effect, and all are told of it")
    func together() async throws {
        try await TestOffice.run { office in
            let outcomes = try await withThrowingTaskGroup(of: ActionOutcome.self) { group in
                for _ in 0..<50 { group.addTask { try await Self.act(office, "k1", "grant") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(outcomes.map(\.auditEntry)).count == 1)
            #expect(outcomes.count { !$0.isRepeated } == 1)
            #expect(try await Self.actions(office) == 1)
        }
    }

    @Test("a key that was used for something else is refused")
    func otherWish() async throws {
        try await TestOffice.run { office in
            _ = try await Self.act(office, "k1", "grant")
            let error = await #expect(throws: OperationsError.self) { try await Self.act(office, "k1", "revoke") }
            #expect(error?.code == .conflict)
            #expect(error?.message == "This key was used for another request.")
            #expect(try await Self.actions(office) == 1)
        }
    }

    @Test("what failed leaves its key unused")
    func failed() async throws {
        try await TestOffice.run { office in
            let key = try IdempotencyKey("k1", of: Self.owner, for: ["grant"])
            await #expect(throws: OperationsError.self) {
                try await office.backOffice.runOnce(key) { _ in throw OperationsError(.conflict, "no") }
            }
            #expect(try await Self.act(office, "k1", "grant").isRepeated == false)
            #expect(try await Self.actions(office) == 1)
        }
    }

    @Test("a key of a week ago is forgotten, a younger one is not")
    func forgotten() async throws {
        try await TestOffice.run { office in
            _ = try await Self.act(office, "old", "grant")
            office.clock.advance(by: 86_400 * 3)
            _ = try await Self.act(office, "young", "grant")
            office.clock.advance(by: 86_400 * 5)
            #expect(try await office.backOffice.forgetUsedKeys() == 1)
            #expect(try await Self.act(office, "young", "grant").isRepeated)
            #expect(try await Self.act(office, "old", "grant").isRepeated == false)
        }
    }

    @Test("a key has 1 to 255 characters", arguments: ["", String(repeating: "k", count: 256)])
    func length(_ text: String) {
        let error = #expect(throws: OperationsError.self) { try IdempotencyKey(text, of: Self.owner, for: []) }
        #expect(error?.field == "key")
    }

    private static func act(_ office: TestOffice, _ text: String, _ command: String) async throws -> ActionOutcome {
        let key = try IdempotencyKey(text, of: owner, for: [command])
        return try await office.backOffice.runOnce(key) { transaction in
            (try await transaction.audit.append(AuditEntry(actor: "test", action: "test.action")), "result")
        }
    }

    private static func actions(_ office: TestOffice) async throws -> Int {
        try await office.lines("SELECT id::text FROM audit_entries WHERE action = 'test.action'").count
    }
}
