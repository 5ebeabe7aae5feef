import Charts
import Testing

@Suite struct StackedBarChartTests {
    let layout = Layout(canvas: .wide, tickLabels: ["0"], readOutLines: 2, hasGroups: true)

    @Test("what adds stands on what added before it, what takes away hangs below what took away")
    func sides() {
        let (chart, scale) = chart([[30, 10], [20, 0], [-15, 0], [-5, -1]], periods: 2)
        let column = chart.columns[0]
        let zero = scale.y(of: 0 as Int64, in: layout.plot)
        #expect(column.map(\.series) == [0, 1, 2, 3])
        #expect(column[0].box.bottom == zero && column[1].box.bottom == column[0].box.top)
        #expect(column[2].box.top == zero && column[3].box.top == column[2].box.bottom)
        #expect(column[1].box.top == scale.y(of: 50 as Int64, in: layout.plot))
        #expect(column[3].box.bottom == scale.y(of: -20 as Int64, in: layout.plot))
        #expect(chart.columns[1].map(\.series) == [0, 3])
        #expect(chart.outlines[0].top == column[1].box.top && chart.outlines[0].bottom == column[3].box.bottom)
    }

    @Test("seeded stacks stay within the plot and have no gaps")
    func seeded() {
        var numbers = SeededNumbers(3)
        for _ in 0..<500 {
            let series = (0..<6).map { _ in (0..<4).map { _ in numbers.value() } }
            let (chart, scale) = chart(series, periods: 4)
            let zero = scale.y(of: 0 as Int64, in: layout.plot)
            for column in chart.columns {
                var (above, below) = (zero, zero)
                for segment in column {
                    if segment.box.bottom == above {
                        above = segment.box.top
                    } else {
                        #expect(segment.box.top == below)
                        below = segment.box.bottom
                    }
                }
                #expect(above >= layout.plot.top && below <= layout.plot.bottom)
            }
        }
    }

    @Test("sums that 64 bits do not hold are drawn, too")
    func extremes() {
        let (chart, _) = chart([[.max], [.max], [.max], [.min], [.min], [.min]], periods: 1)
        #expect(chart.columns[0].count == 6)
        #expect(chart.outlines[0].top >= layout.plot.top && chart.outlines[0].bottom <= layout.plot.bottom)
    }

    @Test("nothing is drawn for zeros, for missing values, nor for a seventh series")
    func nothing() {
        let (chart, _) = chart([[0, 1], [1], [0], [0], [0], [0], [9, 9]], periods: 2)
        #expect(chart.columns.map { $0.map(\.series) } == [[1], [0]])
    }

    private func chart(_ series: [[Int64]], periods: Int) -> (StackedBarChart, Scale) {
        let scale = Scale(covering: StackedBarChart.extremes(of: series, periods: periods))
        return (StackedBarChart(series: series, periods: periods, scale: scale, layout: layout), scale)
    }
}
