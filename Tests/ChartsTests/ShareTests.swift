import Charts
import Testing

@Suite struct ShareTests {
    @Test("the parts fill the bar, in order, and each that is not zero can be seen")
    func parts() {
        var numbers = SeededNumbers(5)
        for _ in 0..<2_000 {
            let values = (0..<Int.random(in: 1...6, using: &numbers)).map { _ in numbers.value() }
            let parts = ShareBar(values).parts
            guard values.contains(where: { $0 > 0 }) else {
                #expect(parts.allSatisfy { $0.width == 0 })
                continue
            }
            #expect(parts.first?.left == 0 && parts.last?.right == 1_000, "\(values)")
            #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.right == $1.left }, "\(values)")
            #expect(zip(values, parts).allSatisfy { $0 > 0 ? $1.width >= 5 : $1.width == 0 }, "\(values)")
        }
    }

    @Test("a larger part is never the shorter one")
    func order() {
        let parts = ShareBar([8_500, 1_200, 200, 100]).parts
        #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.width > $1.width })
        #expect(ShareBar.lengths(of: [400, 200, 1, 0]) == [1_000, 500, 3, 0])
    }

    @Test("the largest numbers there are have shares, too")
    func extremes() {
        #expect(ShareBar([.max, .max, .min]).parts.last?.right == 1_000)
        #expect(ShareBar.lengths(of: [.max, .min]) == [1_000, 0])
    }

    @Test(
        "a share has the shade of its tenth, fifth or so",
        arguments: [
            (0, 10, 0), (1, 10, 1), (99, 1_000, 0), (299, 1_000, 2), (45, 100, 4), (60, 100, 5), (80, 100, 6),
            (100, 100, 6), (120, 100, 6), (-1, 10, 0), (.max, .max, 6), (1, .max, 0),
        ] as [(Int64, Int64, Int)]
    )
    func level(part: Int64, whole: Int64, level: Int) {
        #expect(HeatMap([[HeatMap.Share(part, of: whole)]]).rows[0][0]?.level == level)
    }

    @Test("a triangle has as many columns as its oldest cohort, and a cohort of nobody no shade")
    func triangle() {
        let full = HeatMap.Share(5, of: 5)
        let map = HeatMap([[full, full, full], [full, full], [HeatMap.Share(0, of: 0)]])
        #expect(map.columns == 3)
        #expect(map.rows.map { $0.count { $0 != nil } } == [3, 2, 1])
        #expect(map.rows[2][0]?.level == nil)
    }

    @Test("a spark runs from edge to edge, between the lowest and the highest value")
    func spark() {
        #expect(Spark([1, 2, 4]).line == "M0 26L50 18L100 2")
        #expect(Spark([3, 3]).line == "M0 14L100 14")
        #expect(Spark([.min, .max]).line == "M0 26L100 2")
        #expect(Spark([3]).line.isEmpty && Spark([]).area.isEmpty)
    }
}
