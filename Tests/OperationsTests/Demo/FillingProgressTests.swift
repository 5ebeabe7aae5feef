import Operations
import Testing

@Suite("How far a demo is filled") struct FillingProgressTests {
    @Test("it is said in whole percent, never goes back, and is over when it ends, not before")
    func percent() {
        let progress = FillingProgress()
        #expect(progress.percent == nil)
        progress.reach(0)
        #expect(progress.percent == 0)
        progress.reach(0.419)
        progress.reach(0.3)
        #expect(progress.percent == 41)
        progress.reach(7)
        #expect(progress.percent == 99)
        progress.reach(.nan)
        #expect(progress.percent == 99)
        progress.end()
        #expect(progress.percent == nil)
    }
}
