import Billing
import Foundation
import Gateways
import StoreSimulator
import Testing

@Suite("The simulated App Store, driven from another process")
struct SimulatedControlTests {
    @Test("its clock is driven, and what has become due is sent")
    func clock() async throws {
        let webhook = try await StubStoreClient.start { _, number in number == 0 ? 503 : 200 }
        let store = SimulatedAppleServer(authority: try TestAuthority(), webhook: webhook.url)
        try await store.start()
        store.record([try purchase()], as: .due)
        await store.deliverDue()
        let before = store.clock.now
        let answer = try await tell(store, "POST", "clock", ["advanceSeconds": 3_600])
        #expect(answer.status == 200)
        #expect(store.clock.now.timeIntervalSince(before) >= 3_600)
        let sendings = try JSON(parsing: Array(try await tell(store, "GET", "sendings").body))
        #expect(sendings.array?.first?["notificationType"] == "SUBSCRIBED")
        #expect(
            sendings.array?.first?["sendAttempts"]?.array?.map { $0["sendAttemptResult"] } == [
                "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "SUCCESS",
            ]
        )
        #expect(webhook.bodies.count == 2)
        await store.stop()
        try await webhook.stop()
    }

    @Test(
        "each fault befalls as many questions as it was ordered for",
        arguments: [
            (["kind": "tooManyRequests"], 429), (["kind": "tooManyRequests", "milliseconds": 5_000], 429),
            (["kind": "status", "status": 503], 503), (["kind": "error", "code": 4_040_010], 404),
            (["kind": "error", "code": 5_990_000], 599), (["kind": "late", "milliseconds": 1], 401),
            (["kind": "malformed"], 200), (["kind": "silence"], nil), (["kind": "silenceAfterEffect"], nil),
            (["kind": "hangUpAfterEffect"], nil), (["kind": "cutAfterEffect"], nil),
        ] as [(JSON, Int?)]
    )
    func faults(order: JSON, status: Int?) async throws {
        let store = SimulatedAppleServer(authority: try TestAuthority())
        try await store.start()
        var order = order
        order["times"] = 2
        order["path"] = "/transactions/"
        #expect(try await tell(store, "POST", "faults", order).status == 200)
        #expect(await ask(store, "/inApps/v1/lookup/M1") == 401)
        for _ in 0..<2 {
            let answer = status == nil ? await askInVain(store) : await ask(store, "/inApps/v1/transactions/1")
            #expect(answer == status)
        }
        #expect(await ask(store, "/inApps/v1/transactions/1") == 401)
        await store.stop()
    }

    @Test("what goes wrong is mended at once")
    func mended() async throws {
        let store = SimulatedAppleServer(authority: try TestAuthority())
        try await store.start()
        _ = try await tell(store, "POST", "faults", ["kind": "status", "status": 500, "times": 1_000])
        #expect(await ask(store, "/inApps/v1/transactions/1") == 500)
        #expect(try await tell(store, "DELETE", "faults").status == 200)
        #expect(await ask(store, "/inApps/v1/transactions/1") == 401)
        await store.stop()
    }

    @Test("an order that makes no sense is refused with its name, and changes nothing")
    func nonsense() async throws {
        let store = SimulatedAppleServer(authority: try TestAuthority(), clock: SimulatedClock(standingAt: .now))
        try await store.start()
        let before = store.clock.now
        for (path, body, name) in [
            ("clock", [:], "advanceSeconds"), ("clock", ["advanceSeconds": "1"], "advanceSeconds"),
            ("faults", ["kind": "mood"], "kind"), ("faults", ["kind": "status", "status": 200], "kind"),
            ("faults", ["kind": "error", "code": 7], "kind"), ("faults", ["kind": "malformed", "times": 0], "times"),
            ("released", ["released": 1], "released"),
        ] as [(String, JSON, String)] {
            let answer = try await tell(store, path == "released" ? "PUT" : "POST", path, body)
            #expect(answer.status == 400)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(name))
        }
        #expect(try await tell(store, "GET", "nothing").status == 404)
        #expect(store.clock.now == before)
        #expect(await ask(store, "/inApps/v1/transactions/1") == 401)
        await store.stop()
    }

    @Test("numbers out of all proportion trap nothing")
    func extremes() async throws {
        let store = SimulatedAppleServer(authority: try TestAuthority())
        try await store.start()
        for extreme in [Int64.max, .min] {
            let number: JSON = .integer(extreme)
            let fault: JSON = ["kind": "tooManyRequests", "milliseconds": number]
            #expect(try await tell(store, "POST", "faults", fault).status == 200)
            #expect(await ask(store, "/inApps/v1/transactions/1") == 429)
            let many: JSON = ["kind": "malformed", "times": number]
            #expect(try await tell(store, "POST", "faults", many).status == 400)
            #expect(try await tell(store, "POST", "clock", ["advanceSeconds": number]).status == 200)
            #expect(try await tell(store, "POST", "clock", ["advanceSeconds": number]).status == 200)
        }
        #expect(await ask(store, "/inApps/v1/transactions/1") == 401)
        await store.stop()
    }

    private func purchase() throws -> SimulatedNotification {
        let told = SimulatedSubscribers(seed: 3, customers: 20, months: 12, endingAt: .now).notifications()
        return try #require(told.first { $0.type == "SUBSCRIBED" && $0.environment == .production })
    }

    private func tell(
        _ store: SimulatedAppleServer,
        _ method: String,
        _ path: String,
        _ body: JSON? = nil
    ) async throws -> StoreResponse {
        let url = "\(store.url())/simulator/\(path)"
        return try await HTTPStoreTransport().send(StoreRequest(method, url, body: body.map { Data($0.bytes) }))
    }

    /// Returns the status of a request without a token; nil where no answer comes.
    private func ask(_ store: SimulatedAppleServer, _ path: String) async -> Int? {
        let request = StoreRequest("GET", store.url() + path, timeout: .seconds(60))
        return try? await HTTPStoreTransport().send(request).status
    }

    /// Asks for a transaction and hangs up a moment after the store has taken the question; nil where no answer came by then.
    private func askInVain(_ store: SimulatedAppleServer) async -> Int? {
        let before = store.asked.count
        let question = Task { await ask(store, "/inApps/v1/transactions/1") }
        while store.asked.count == before { try? await Task.sleep(for: .milliseconds(10)) }
        try? await Task.sleep(for: .milliseconds(300))
        question.cancel()
        return await question.value
    }
}

extension JSON {
    fileprivate var array: [JSON]? {
        guard case .array(let array) = self else { return nil }
        return array
    }
}
