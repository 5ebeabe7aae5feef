import Testing

@testable import Jobs

@Suite("Waiting for locked customers") struct PatienceTests {
    @Test("each wait halves the next, down to a fiftieth of a second, and work doubles it again, up to one")
    func halves() {
        let patience = Patience()
        #expect(patience.now == .seconds(1))
        patience.waited()
        patience.waited()
        #expect(patience.now == .milliseconds(250))
        patience.worked()
        #expect(patience.now == .milliseconds(500))
        for _ in 0..<20 { patience.waited() }
        #expect(patience.now == Patience.shortest)
        for _ in 0..<20 { patience.worked() }
        #expect(patience.now == Patience.longest)
    }
}
