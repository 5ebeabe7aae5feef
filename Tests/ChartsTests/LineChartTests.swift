import Charts
import Testing

@Suite struct LineChartTests {
    let layout = Layout(canvas: .half, tickLabels: ["0", "1,250"], readOutLines: 1, hasGroups: false)

    @Test("800 points go from left to right within the plot")
    func many() {
        var numbers = SeededNumbers(4)
        let values = (0..<800).map { _ in numbers.value() }
        let chart = LineChart(values: values, scale: Scale(covering: values), layout: layout)
        let points = chart.points.compactMap(\.self)
        #expect(points.count == 800)
        #expect(zip(points, points.dropFirst()).allSatisfy { $0.x <= $1.x })
        #expect(points.allSatisfy { $0.x >= layout.plot.left && $0.x <= layout.plot.right })
        #expect(points.allSatisfy { $0.y >= layout.plot.top && $0.y <= layout.plot.bottom })
        #expect(chart.path.count { $0 == "L" } == 799)
    }

    @Test("an unfinished end is a part of its own")
    func unfinished() {
        let values: [Int64] = [1, 2, 3]
        let scale = Scale(covering: values)
        let chart = LineChart(values: values, isPartial: true, scale: scale, layout: layout)
        #expect(chart.path.count { $0 == "L" } == 1)
        #expect(chart.unfinishedPath.count { $0 == "L" } == 1)
        #expect(LineChart(values: values, scale: scale, layout: layout).unfinishedPath.isEmpty)
    }

    @Test("where nothing is known, the line and its area are interrupted")
    func gaps() {
        let scale = Scale(covering: [1, 5] as [Int64])
        let chart = LineChart(values: [1, 2, nil, 4, 5, nil, 3], scale: scale, layout: layout)
        #expect(chart.path.count { $0 == "M" } == 3)
        #expect(chart.area.count { $0 == "Z" } == 2)
        #expect(chart.points[2] == nil && chart.end != nil)
    }

    @Test("one point and no points are no line, and no trap")
    func few() {
        let scale = Scale(covering: [7] as [Int64])
        let one = LineChart(values: [7], isPartial: true, scale: scale, layout: layout)
        #expect(one.path.isEmpty && one.unfinishedPath.isEmpty && one.area.isEmpty && one.end != nil)
        #expect(LineChart(values: [], scale: scale, layout: layout).end == nil)
    }
}
