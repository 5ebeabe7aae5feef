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

    @Test("shades go in even steps from the least share to the most, wherever the shares lie")
    func levels() {
        func levels(_ percents: [Int64]) -> [Int?] {
            HeatMap([percents.map { HeatMap.Share($0, of: 100) }]).rows[0].map { $0?.level }
        }
        #expect(levels([0, 13, 14, 50, 100, 86]) == [0, 0, 1, 3, 6, 6])
        #expect(levels([80, 84, 88, 92, 96, 100]) == [0, 1, 2, 4, 5, 6])
        #expect(levels([1, 2, 3]) == [0, 1, 2])
        #expect(levels([70, 70]) == [0, 0])
        #expect(HeatMap([[HeatMap.Share(1, of: 100), HeatMap.Share(3, of: 100)]]).bounds == [1, 2, 3])
    }

    @Test("a share above its whole, below nothing or of the largest number has a shade, too")
    func edges() {
        let shares: [(Int64, Int64)] = [(120, 100), (-1, 10), (.max, .max), (1, .max)]
        let map = HeatMap([shares.map { HeatMap.Share($0, of: $1) }])
        #expect(map.rows[0].map { $0?.level } == [6, 0, 6, 0])
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
