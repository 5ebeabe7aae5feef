import Charts
import Testing

@Suite struct BarChartTests {
    let layout = Layout(canvas: .wide, tickLabels: ["0", "20k"], readOutLines: 1, hasGroups: false)

    @Test("bars begin at zero, whatever is below it hangs")
    func sides() {
        let values: [Int64] = [40, -20, 0]
        let scale = Scale(covering: values)
        let zero = scale.y(of: 0 as Int64, in: layout.plot)
        let bars = BarChart(values: values, scale: scale, layout: layout).bars
        #expect(bars[0].box.bottom == zero && bars[0].box.top == scale.y(of: 40 as Int64, in: layout.plot))
        #expect(bars[1].box.top == zero && bars[1].box.bottom == scale.y(of: -20 as Int64, in: layout.plot))
        #expect(bars[2].box.height == 0 && bars[2].path.isEmpty)
    }

    @Test("the smallest amount beside the largest can still be seen")
    func visible() {
        let values: [Int64] = [1_000_000_000, 1, -1]
        let bars = BarChart(values: values, scale: Scale(covering: values), layout: layout).bars
        #expect(bars.allSatisfy { $0.box.height >= 1 })
    }

    @Test("bars stand in the middle of equal parts, from edge to edge of the plot")
    func slots() {
        let values = [Int64](repeating: 5, count: 12)
        let bars = BarChart(values: values, scale: Scale(covering: values), layout: layout).bars
        for (index, bar) in bars.enumerated() {
            let slot = layout.slot(index, of: 12)
            #expect(bar.box.left > slot.left && bar.box.right < slot.right)
        }
        #expect(layout.slot(0, of: 12).left == layout.plot.left)
        #expect(layout.slot(11, of: 12).right == layout.plot.right)
    }

    @Test("all zeros draw no bar, and a line along zero")
    func zeros() {
        let values: [Int64] = [0, 0, 0]
        let scale = Scale(covering: values)
        let chart = BarChart(values: values, previous: values, scale: scale, layout: layout)
        #expect(chart.bars.allSatisfy { $0.path.isEmpty })
        #expect(chart.line.allSatisfy { $0?.y == layout.plot.bottom })
    }

    @Test("the comparison line leaves out what is not known")
    func gaps() {
        let scale = Scale(covering: [3, 4] as [Int64])
        let chart = BarChart(values: [3, 4, 3, 4], previous: [3, nil, 4, 3], scale: scale, layout: layout)
        #expect(chart.linePath.count { $0 == "M" } == 2)
        #expect(chart.linePath.count { $0 == "L" } == 1)
    }

    @Test("the comparison line is cut where finished periods end, and both parts meet there")
    func unfinished() {
        let values: [Int64] = [3, 4, 3, 4]
        let chart = BarChart(values: values, previous: values, scale: Scale(covering: values), layout: layout)
        let (finished, unfinished) = chart.linePaths(unfinished: 1)
        #expect(finished.count { $0 == "L" } == 2 && unfinished.count { $0 == "L" } == 1)
        #expect(finished.split { "ML".contains($0) }.last == unfinished.split { "ML".contains($0) }.first)
        #expect(chart.linePaths(unfinished: 0) == (chart.linePath, ""))
        #expect(chart.linePaths(unfinished: 9).finished.isEmpty)
    }

    @Test("the largest and the smallest numbers there are can be drawn")
    func extremes() {
        let values: [Int64] = [.max, .min, 0, 1]
        let scale = Scale(covering: values)
        let chart = BarChart(values: values, previous: values.reversed(), scale: scale, layout: layout)
        for bar in chart.bars {
            #expect(bar.box.top >= layout.plot.top && bar.box.bottom <= layout.plot.bottom)
        }
    }
}
