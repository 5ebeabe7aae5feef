import Charts
import Testing

@Suite struct LayoutTests {
    @Test("the widest number has room left of the plot")
    func left() {
        let narrow = Layout(canvas: .half, tickLabels: ["0", "5"], readOutLines: 1, hasGroups: false)
        let wide = Layout(canvas: .half, tickLabels: ["0", "−1,250,000"], readOutLines: 1, hasGroups: false)
        #expect(narrow.plot.left == 40)
        #expect(wide.plot.left > 90 && wide.plot.right == narrow.plot.right)
    }

    @Test("each line of the read-out and a row of groups take their height from the plot")
    func heights() {
        let small = Layout(canvas: .wide, tickLabels: [], readOutLines: 1, hasGroups: false)
        let large = Layout(canvas: .wide, tickLabels: [], readOutLines: 3, hasGroups: true)
        #expect(large.plot.top - small.plot.top == Layout.lineHeight * 2)
        #expect(small.plot.bottom - large.plot.bottom == 18)
    }

    @Test("of names that would run into each other every second, third … is written")
    func names() {
        let layout = Layout(canvas: .half, tickLabels: [], readOutLines: 1, hasGroups: false)
        let names = (1...31).map(String.init)
        let middles = (0..<31).map { layout.slot($0, of: 31).middle }
        let shown = LabelRow(names, at: middles).shown
        #expect(shown.first == 0 && shown.count < 31 && shown.count > 10)
        #expect(Set(zip(shown, shown.dropFirst()).map { $1 - $0 }).count == 1)
        #expect(LabelRow(["Jan", "Feb"], at: [100, 200]).shown == [0, 1])
        #expect(LabelRow([], at: []).shown.isEmpty)
    }

    @Test("where two years have no room beside each other, the later one is written")
    func groups() {
        #expect(LabelRow(latestOf: ["2025", "2026"], at: [60, 90]).shown == [1])
        #expect(LabelRow(latestOf: ["2024", "2025", "2026"], at: [60, 90, 400]).shown == [1, 2])
        #expect(LabelRow(latestOf: ["2025", "2026"], at: [60, 400]).shown == [0, 1])
        #expect(LabelRow(latestOf: [], at: []).shown.isEmpty)
    }

    @Test("pieces of text fill lines and are never broken")
    func lines() {
        #expect(TextWidth.lines(of: ["March", "one", "two"], within: 1_000) == ["March · one · two"])
        #expect(TextWidth.lines(of: ["March", "one", "two"], within: 10) == ["March", "one", "two"])
        #expect(TextWidth.lines(of: [], within: 10).isEmpty)
        #expect(TextWidth.of("二月") > TextWidth.of("ab"))
    }

    @Test("a coordinate is written as SVG reads it")
    func coordinates() {
        #expect(
            [0, 1463, -5, -40, 100].map { Coordinate(tenths: $0).description } == ["0", "146.3", "-0.5", "-4", "10"]
        )
    }
}
