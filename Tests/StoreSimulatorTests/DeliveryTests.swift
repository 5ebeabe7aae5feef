import Testing

@testable import StoreSimulator

@Suite("Delivery")
struct DeliveryTests {
    @Test("in order, copies follow each other")
    func inOrder() {
        #expect(Delivery(url: "", copies: 2).sequence(of: 3) == [0, 0, 1, 1, 2, 2])
    }

    @Test("shuffled, nothing is lost and the seed decides")
    func shuffled() {
        let delivery = Delivery(url: "", order: .shuffled(seed: 5), copies: 3)
        let sequence = delivery.sequence(of: 100)
        #expect(sequence == delivery.sequence(of: 100))
        #expect(sequence != sequence.sorted())
        #expect(sequence.sorted() == Delivery(url: "", copies: 3).sequence(of: 100))
    }

    @Test("each message is posted and its answer counted")
    func counted() async throws {
        let server = try await StubStoreClient.start { body, _ in body.contains("refused") ? 401 : 200 }
        let report = try await Delivery(url: server.url, copies: 2, concurrency: 4)
            .send(signedPayloads: ["one", "two", "refused"])
        #expect(report.sent == 6)
        #expect(report.accepted == 4)
        #expect(report.refused == [401: 2])
        #expect(report.retried == 0)
        #expect(server.bodies.count { $0 == #"{"signedPayload":"two"}"# } == 2)
        try await server.stop()
    }

    @Test("a server that is overloaded for a while loses nothing")
    func overloaded() async throws {
        let server = try await StubStoreClient.start { _, number in number < 3 ? 503 : number < 5 ? 429 : 200 }
        let report = try await Delivery(url: server.url).send(signedPayloads: ["one", "two"])
        #expect(report.accepted == 2)
        #expect(report.retried == 5)
        #expect(report.refused.isEmpty)
        try await server.stop()
    }

    @Test("a server that is away for a while loses nothing")
    func away() async throws {
        let first = try await StubStoreClient.start { _, _ in 200 }
        try await first.stop()
        async let report = Delivery(url: first.url).send(signedPayloads: ["one"])
        let second = try await StubStoreClient.start(at: first.port) { _, _ in 200 }
        #expect(try await report.accepted == 1)
        #expect(second.bodies == [#"{"signedPayload":"one"}"#])
        try await second.stop()
    }

    @Test("a server that stays away is reported, not waited for without end")
    func gone() async throws {
        let server = try await StubStoreClient.start { _, _ in 200 }
        try await server.stop()
        let report = try await Delivery(url: server.url, patience: .seconds(3)).send(signedPayloads: ["one"])
        #expect(report.accepted == 0)
        #expect(report.refused == [0: 1])
    }

    @Test("what is no address is refused before anything is sent")
    func noAddress() async {
        await #expect(throws: SimulatorError.self) { try await Delivery(url: "not a url").send(signedPayloads: []) }
    }
}
