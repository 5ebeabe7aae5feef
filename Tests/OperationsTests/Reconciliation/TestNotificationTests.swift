import Billing
import Foundation
import Gateways
import Operations
import Postgres
import Storage
import StoreSimulator
import Synchronization
import Testing

@Suite("Test notifications") struct TestNotificationTests {
    @Test("one that is delivered arrives, and the log says who asked for it")
    func arrives() async throws {
        let deliveries = Deliveries()
        try await ConnectedOffice.run(deliveries: deliveries) { office in
            let mayArrive = Latch()
            deliveries.take { payload in
                while !mayArrive.isOpen { try await Task.sleep(for: .milliseconds(5)) }
                try await office.backOffice.receiveNotification(payload, from: .apple)
            }
            #expect(try await newest(office) == nil)
            try await request(office)
            #expect(try await newest(office)?.result == .pending)
            mayArrive.open()
            let app = try await office.office.app()
            let awaited = try await office.backOffice.awaitedTestNotification(of: app, at: .apple, in: .production)
            #expect(awaited?.result == .arrived)
            // It is kept: the store is not asked again.
            let asked = office.store.asked.count
            #expect(try await newest(office)?.result == .arrived)
            #expect(office.store.asked.count == asked)
            let log =
                "SELECT concat_ws(' ', actor, action, object_type, object_id, after) FROM audit_entries ORDER BY at, id"
            #expect(
                try await office.lines(Query(unsafe: log)).last
                    == #"command line store.test store apple {"environment": "production"}"#
            )
        }
    }

    @Test("what does not arrive says why", arguments: [true, false])
    func fails(isAnswered: Bool) async throws {
        let deliveries = Deliveries()
        try await ConnectedOffice.run(deliveries: deliveries) { office in
            // Answered with 200 by somebody else, or with 500.
            if isAnswered { deliveries.take { _ in } } else { deliveries.take { _ in throw CancellationError() } }
            try await request(office)
            await office.store.deliverDue()
            let tested = try await newest(office)
            #expect(tested?.result == (isAnswered ? .elsewhere : .undelivered))
            #expect(tested?.reason == (isAnswered ? nil : "UNSUCCESSFUL_HTTP_RESPONSE_CODE"))
        }
    }

    @Test("of many who ask at once one may, and the others are told when to come back")
    func turns() async throws {
        try await ConnectedOffice.run(deliveries: Deliveries()) { office in
            let results = try await withThrowingTaskGroup(of: Int?.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do {
                            try await request(office, in: .sandbox)
                            return nil
                        } catch let error as OperationsError where error.code == .blocked {
                            return error.retryAfter
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            let waits = results.compactMap(\.self)
            #expect(waits.count == 7)
            #expect(waits.allSatisfy { (1...10).contains($0) })
            // A refused request leaves nothing behind; production has a limit of its own.
            #expect(try await office.count("audit_entries WHERE action = 'store.test'") == 1)
            try await request(office)
        }
    }

    @Test(
        "the next may be asked for a second after the one before, in the sandbox ten",
        arguments: zip([StoreEnvironment.production, .sandbox], [1, 10])
    )
    func intervals(environment: StoreEnvironment, seconds: Int) async throws {
        try await ConnectedOffice.run(deliveries: Deliveries()) { office in
            try await request(office, in: environment)
            // Moves the last request so far into the past, by the database's clock.
            func wait(milliseconds: Int) async throws {
                let moved =
                    "UPDATE test_notifications SET requested_at = clock_timestamp() - interval '\(milliseconds) ms'"
                _ = try await office.office.pool.query(Query(unsafe: moved))
            }
            try await wait(milliseconds: -500)
            let error = await #expect(throws: OperationsError.self) { try await request(office, in: environment) }
            #expect(error?.code == .blocked)
            #expect(error?.retryAfter == seconds + 1)
            try await wait(milliseconds: seconds * 1_000)
            try await request(office, in: environment)
        }
    }

    @Test("without a key for the store, or an address at it, the reason is told and kept")
    func refused() async throws {
        try await ConnectedOffice.run { office in
            let error = await #expect(throws: OperationsError.self) { try await request(office) }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("Production Server URL") == true)
            let newest = try await newest(office)
            #expect(newest?.result == .refused)
            #expect(newest?.reason == error?.message)
        }
        try await TestOffice.run { office in
            let app = try await office.app()
            let error = await #expect(throws: OperationsError.self) {
                _ = try await office.backOffice.requestTestNotification(
                    of: app,
                    at: .apple,
                    in: .production,
                    caller: .commandLine
                )
            }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("no key") == true)
            let kept = try await office.count("test_notifications")
            #expect(kept == 0)
        }
    }

    @Test("a store that does not answer is asked again later")
    func silent() async throws {
        try await ConnectedOffice.run(deliveries: Deliveries()) { office in
            await office.store.stop()
            let error = await #expect(throws: OperationsError.self) { try await request(office) }
            #expect(error?.code == .overloaded)
            #expect(error?.retryAfter != nil)
        }
    }

    private func request(_ office: ConnectedOffice, in environment: StoreEnvironment = .production) async throws {
        _ = try await office.backOffice.requestTestNotification(
            of: try await office.office.app(),
            at: .apple,
            in: environment,
            caller: .commandLine
        )
    }

    private func newest(_ office: ConnectedOffice) async throws -> TestNotification? {
        try await office.backOffice.newestTestNotification(
            of: try await office.office.app(),
            at: .apple,
            in: .production
        )
    }
}

/// Takes the simulated store's notifications without a network.
final class Deliveries: StoreTransport {
    private let taker = Mutex<(@Sendable (String) async throws -> Void)?>(nil)

    func take(_ body: @escaping @Sendable (_ signedPayload: String) async throws -> Void) {
        taker.withLock { $0 = body }
    }

    func send(_ request: StoreRequest) async throws(GatewayError) -> StoreResponse {
        guard let taker = taker.withLock({ $0 }),
            let payload = try JSON(parsing: Array(request.body ?? Data()))["signedPayload"]?.string
        else { throw GatewayError(.unreachable, "Nobody listens.") }
        do {
            try await taker(payload)
            return StoreResponse(status: 200, headers: [:], body: Data())
        } catch {
            return StoreResponse(status: 500, headers: [:], body: Data())
        }
    }
}
