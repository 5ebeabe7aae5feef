import Testing

@testable import Postgres

@Suite("Progress of streams and COPY")
struct SoloProgressTests {
    private let start = ContinuousClock.now
    private let limits = SoloProgress.Limits(firstRow: .seconds(300), nextRow: .seconds(60))

    @Test("the first row may take long, each further one less")
    func rows() {
        var progress = SoloProgress(askedAt: start)
        #expect(progress.deadline(limits) == start + .seconds(300))
        #expect(progress.failure(limits).message.hasPrefix("the server had no row within"))
        progress.heard(at: start + .seconds(200))
        progress.gotRow()
        #expect(progress.deadline(limits) == start + .seconds(260))
        #expect(progress.failure(limits).message.hasPrefix("the server did not get on with its rows"))
        progress.heard(at: start + .seconds(250))
        #expect(progress.deadline(limits) == start + .seconds(310))
    }

    @Test("the end of a COPY in may take as long as a first row")
    func end() {
        var progress = SoloProgress(askedAt: start)
        progress.gotRow()
        progress.askedForEnd(at: start + .seconds(10))
        #expect(progress.deadline(limits) == start + .seconds(310))
    }
}
