import Foundation
import Storage
import Testing

@Suite("What time it is by the primary's clock") struct PrimaryClockTests {
    @Test("this machine's clock counts only until the primary is heard")
    func heard() {
        let wrong = Date(timeIntervalSince1970: 0)
        let clock = PrimaryClock(own: { wrong })
        #expect(clock.now == wrong)
        let (asked, right) = (ContinuousClock.now, Date(timeIntervalSince1970: 1_800_000_000))
        clock.hear(right, asked: asked)
        #expect(clock.now >= right)
        #expect(clock.now < right + 60)
    }

    @Test("an answer that was long under way moves nothing back, and a quick one is believed")
    func spans() {
        let clock = PrimaryClock()
        let (start, right) = (ContinuousClock.now, Date(timeIntervalSince1970: 1_800_000_000))
        clock.hear(right, asked: start - .milliseconds(1), answered: start)
        // It was read up to ten seconds before it was heard: no better than what is known.
        clock.hear(right, asked: start - .milliseconds(1), answered: start + .seconds(10))
        #expect(clock.now >= right)
        // The primary's clock was set back.
        clock.hear(right - 100, asked: start, answered: start)
        #expect(clock.now < right - 40)
        #expect(clock.now >= right - 100)
    }
}
