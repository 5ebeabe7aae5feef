import Storage
import Testing

@testable import Desk

@Suite struct ChartFigureTests {
    let sample = ChartSample(.english)

    @Test("drawing, read-out and table say the same of every period")
    func oneTruth() throws {
        let (plot, table) = (try #require(sample.revenue.plot), try #require(sample.revenue.table))
        #expect(plot.periods.count == 12 && table.rows.count == 12)
        for (period, row) in zip(plot.periods, table.rows) {
            #expect(period.href == row.href)
            #expect(period.spoken.hasPrefix(row.name))
            #expect(period.spoken.contains(": \(row.cells[0].text) CNY"))
            #expect(period.spoken.contains(": \(row.cells[1].text) CNY"))
            #expect((period.tip.name + period.tip.rest).contains(row.cells[0].text))
            if let change = row.cells[3].change { #expect(period.spoken.hasSuffix(change.text)) }
        }
    }

    @Test("a period that is not finished is hatched, says so and is compared with nothing")
    func unfinished() throws {
        let (plot, table) = (try #require(sample.revenue.plot), try #require(sample.revenue.table))
        let (period, row) = (try #require(plot.periods.last), try #require(table.rows.last))
        #expect(period.shapes.map(\.style) == ["open"] && period.shapes[0].fill == "url(#revenue-hatch)")
        #expect(period.spoken.hasPrefix("Nov 2026 (in progress): "))
        #expect(row.isPartial && row.cells[2].text.isEmpty && row.cells[3].change == nil)
        #expect(plot.periods.dropLast().allSatisfy { $0.shapes.map(\.style) == ["bar"] })
    }

    @Test("the sums compare the finished periods alone")
    func totals() throws {
        let totals = try #require(sample.revenue.table).totals
        #expect(totals.map(\.name) == ["Completed only", "Total"])
        #expect(totals.map { $0.cells[0].text } == ["478,000.00", "517,000.00"])
        #expect(totals[0].cells[2].text == "+63,000.00" && totals[0].cells[3].change?.text == "15.2% more")
        #expect(totals[1].cells[2].text.isEmpty && totals[1].cells[3].change == nil)
    }

    @Test("a line of 365 days has a link per month, whose number is that of its last day")
    func months() throws {
        let (plot, table) = (try #require(sample.recurring.plot), try #require(sample.recurring.table))
        #expect(plot.periods.count == 12)
        #expect(table.totals.isEmpty)
        #expect(plot.lines.map(\.style).contains("trend"))
        #expect(try #require(plot.lines.first { $0.style == "trend" }).path.count { $0 == "L" } == 363)
        // 21,500.00 on the first day, 61.00 more on each day, and the uneven part: 364 · 364 modulo 97 times 4.00.
        #expect(table.rows[11].cells[0].text == "44,068.00")
    }

    @Test("the net of a stack is the sum of its parts, and its read-out names the parts that are not zero")
    func stack() throws {
        let (plot, table) = (try #require(sample.movements.plot), try #require(sample.movements.table))
        #expect(table.columns == ["New", "Reactivation", "Moved up", "Moved down", "Left", "Net"])
        #expect(
            table.rows[0].cells.map(\.text) == ["3,100.00", "200.00", "600.00", "−300.00", "−1,500.00", "2,100.00"]
        )
        #expect(
            !plot.periods[2].spoken.contains("Reactivation") && plot.periods[3].spoken.contains("Reactivation: 300.00")
        )
        #expect(plot.periods[2].shapes.map(\.style) == ["k1", "k3", "k4", "k5"])
    }

    @Test("zeros have an axis and say so; without numbers there is no drawing and no table")
    func bare() throws {
        let plot = try #require(sample.zeros.plot)
        #expect(plot.message?.text == "All values are 0 in this period")
        #expect(plot.ticks.map(\.text) == ["0"] && plot.periods.allSatisfy(\.shapes.isEmpty))
        #expect(sample.nothing.plot == nil && sample.nothing.table == nil)
        #expect(sample.nothing.emptyText?.description == "No data for this period yet.")
    }

    @Test("a cohort's cells end where it is not older, and the youngest may still change")
    func heat() throws {
        let heat = try #require(sample.retention.heat)
        #expect(heat.rows[0].cells.map(\.style) == ["h6", "h4", "h4", "h3", "h3", "h2", "h1", "h1", "h0", "h0 open"])
        #expect(heat.rows[9].cells.map(\.style) == ["h6 open"] + Array(repeating: "none", count: 9))
        #expect(heat.rows[0].cells[1].text == "71.0%")
    }

    @Test("shares are of the whole, steps of the first")
    func shares() throws {
        #expect(try #require(sample.plans.shares).rows.map(\.share) == ["85.0%", "12.0%", "2.0%", "1.0%"])
        #expect(try #require(sample.trials.shares).rows.map(\.share) == ["100.0%", "73.4%", "32.7%"])
        #expect(try #require(sample.trials.shares).split.isEmpty)
    }

    @Test("each language draws the same")
    func languages() throws {
        let shapes = try Language.allCases.map { language in
            try #require(ChartSample(language).revenue.plot).periods.map(\.href)
        }
        #expect(Set(shapes).count == 1)
    }
}
