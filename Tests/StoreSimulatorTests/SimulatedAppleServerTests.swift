import Billing
import Foundation
import Gateways
import Testing

@testable import StoreSimulator

@Suite("The simulated App Store's notifications")
struct SimulatedAppleServerTests {
    private let start = Date(timeIntervalSince1970: 1_795_000_000)

    private func store(_ clock: SimulatedClock, webhook: String) throws -> SimulatedAppleServer {
        SimulatedAppleServer(authority: try TestAuthority(), webhook: webhook, clock: clock)
    }

    private func notification(in environment: StoreEnvironment = .production) -> SimulatedNotification {
        SimulatedNotification(
            notificationUUID: UUID(),
            type: "SUBSCRIBED",
            subtype: "INITIAL_BUY",
            signedDate: start,
            environment: environment,
            bundleID: "com.readmigo.app",
            appAppleID: 1_600_000_001
        )
    }

    @Test("a refused notification comes again after 1, 12, 24, 48 and 72 hours, and then no more")
    func schedule() async throws {
        let webhook = try await StubStoreClient.start { _, _ in 503 }
        let clock = SimulatedClock(standingAt: start)
        let store = try store(clock, webhook: webhook.url)
        store.record([notification()], as: .due)
        await store.deliverDue()
        #expect(webhook.bodies.count == 1)
        for (number, hours) in [1, 12, 24, 48, 72].enumerated() {
            clock.advance(by: Double(hours) * 3_600 - 1)
            await store.deliverDue()
            #expect(webhook.bodies.count == number + 1)
            clock.advance(by: 1)
            await store.deliverDue()
            #expect(webhook.bodies.count == number + 2)
        }
        clock.advance(by: 10_000_000)
        await store.deliverDue()
        #expect(webhook.bodies.count == 6)
        let attempts = try #require(store.sendings().first?.attempts)
        #expect(attempts.map(\.result) == Array(repeating: .unsuccessfulResponseCode, count: 6))
        try await webhook.stop()
    }

    @Test("the sandbox tries once; what is answered is not sent again")
    func once() async throws {
        let webhook = try await StubStoreClient.start { _, number in number == 0 ? 500 : 200 }
        let clock = SimulatedClock(standingAt: start)
        let store = try store(clock, webhook: webhook.url)
        store.record([notification(in: .sandbox)], as: .due)
        await store.deliverDue()
        store.record([notification()], as: .due)
        await store.deliverDue()
        clock.advance(by: 1_000_000)
        await store.deliverDue()
        #expect(webhook.bodies.count == 2)
        #expect(store.sendings(in: .sandbox).first?.isDelivered == false)
        #expect(store.sendings().first?.isDelivered == true)
        try await webhook.stop()
    }

    @Test("whoever is away is told later, and an hour in the schedule is an hour of the store's clock")
    func away() async throws {
        let webhook = try await StubStoreClient.start { _, _ in 200 }
        try await webhook.stop()
        let clock = SimulatedClock(standingAt: start)
        let store = try store(clock, webhook: webhook.url)
        store.record([notification()], as: .due)
        await store.deliverDue()
        let back = try await StubStoreClient.start(at: webhook.port) { _, _ in 200 }
        clock.advance(by: 3_600)
        await store.deliverDue()
        #expect(store.sendings().first?.attempts.map(\.result) == [.socketIssue, .success])
        #expect(back.bodies.count == 1)
        try await back.stop()
    }

    @Test("what was lost has the attempts that the schedule has had time for")
    func lost() throws {
        let clock = SimulatedClock(standingAt: start.addingTimeInterval(13 * 3_600))
        let store = try store(clock, webhook: "http://127.0.0.1:1")
        store.record([notification()], as: .lost)
        let attempts = try #require(store.sendings().first?.attempts)
        #expect(attempts.map { $0.date.timeIntervalSince(start) / 3_600 } == [0, 1, 13])
    }

    @Test("a key kept in a directory is the same the next time, and only its owner reads it")
    func keptKey() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "key-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try SimulatedAPIKey.kept(in: folder.path)
        let second = try SimulatedAPIKey.kept(in: folder.path)
        #expect(first.keyID == second.keyID)
        #expect(first.issuerID == second.issuerID)
        #expect(first.pem.trimmingCharacters(in: .newlines) == second.pem.trimmingCharacters(in: .newlines))
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: first.fileName).path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test("more endpoints are answered at their paths")
    func endpoints() async throws {
        let echo = SimulatedEndpoint("POST", "/verifyReceipt") { request in
            let type = request.headers["content-type"] ?? ""
            return StoreResponse(status: 200, headers: ["content-type": type], body: request.body)
        }
        let store = SimulatedAppleServer(authority: try TestAuthority(), endpoints: [echo])
        try await store.start()
        let transport = HTTPStoreTransport()
        let request = StoreRequest(
            "POST",
            store.url() + "/verifyReceipt",
            headers: ["Content-Type": "text/x"],
            body: Data("hello".utf8)
        )
        let response = try await transport.send(request)
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "text/x")
        #expect(response.body == Data("hello".utf8))
        await store.stop()
    }
}
