import Billing
import Foundation
import Testing

@testable import Storage

@Suite("Counts that end at 10,000") struct CappedCountsTests {
    @Test("a long list is remembered for a minute, apart from others")
    func memory() {
        let counts = CappedCounts()
        let app = App.ID(ScreenSamples.id(1))
        let failed = CountedList(app: app, filter: .notifications(state: .failed))
        let all = CountedList(app: app, filter: .notifications(state: nil))
        let now = ScreenSamples.now
        #expect(!counts.isLong(failed, at: now))
        counts.rememberLong(failed, at: now)
        #expect(counts.isLong(failed, at: now.addingTimeInterval(59)))
        #expect(!counts.isLong(failed, at: now.addingTimeInterval(60)))
        #expect(!counts.isLong(all, at: now))
    }

    @Test("a list of more rows than are counted has its number where its last page tells it")
    func lastPage() {
        func total(_ rowsBefore: Int, hasNext: Bool) -> RowCount {
            ListPage(rows: Array(1...10), rowsBefore: rowsBefore, hasPrevious: true, hasNext: hasNext).longTotal
        }
        #expect(total(12_025, hasNext: false) == .exact(12_035))
        #expect(total(12_025, hasNext: true) == .moreThanCounted)
        // The marker is from before the list grew.
        #expect(total(9_000, hasNext: false) == .moreThanCounted)
    }
}
