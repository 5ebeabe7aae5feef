import Charts
import Testing

@Suite struct ScaleTests {
    static let plot = Box(left: 50, top: 40, right: 990, bottom: 260)

    @Test("the ticks are round, equally far apart, three to six, and hold zero and every value")
    func ticks() {
        var numbers = SeededNumbers(1)
        for _ in 0..<5_000 {
            let values = (0..<Int.random(in: 1...12, using: &numbers)).map { _ in numbers.value() }
            let scale = Scale(covering: values)
            let (low, most) = (min(values.min() ?? 0, 0), max(values.max() ?? 0, 0))
            let high = low == most ? 1 : most
            let ticks = scale.ticks
            #expect(ticks.count <= 6, "\(values)")
            #expect(ticks.contains(0), "\(values)")
            guard high.magnitude < 1 << 61, low.magnitude < 1 << 61 else { continue }
            #expect(ticks.count >= (Int128(high) - Int128(low) >= 2 ? 3 : 2), "\(values)")
            guard let first = ticks.first, let last = ticks.last, ticks.count > 1 else { continue }
            #expect(first <= low && last >= high, "\(values)")
            let step = ticks[1] - ticks[0]
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1 - $0 == step }, "\(values)")
            #expect(isRound(step), "\(step) for \(values)")
            // No tick lies a whole step beyond the values.
            #expect(Int128(last) - Int128(high) < Int128(step) && Int128(low) - Int128(first) < Int128(step))
        }
    }

    @Test(
        "the steps that people would choose",
        arguments: [
            ([3, 1], [0, 1, 2, 3]), ([58_000, 31_000], [0, 20_000, 40_000, 60_000]),
            ([120], [0, 25, 50, 75, 100, 125]),
            ([-40, 90], [-50, 0, 50, 100]), ([-7], [-8, -6, -4, -2, 0]), ([1], [0, 1]), ([0, 0], [0, 1]), ([], [0, 1]),
        ] as [([Int64], [Int64])]
    )
    func examples(values: [Int64], ticks: [Int64]) {
        #expect(Scale(covering: values).ticks == ticks)
    }

    @Test("a larger value never stands lower, and all stand within the plot")
    func order() {
        var numbers = SeededNumbers(2)
        for _ in 0..<2_000 {
            let values = (0..<8).map { _ in numbers.value() }.sorted()
            let scale = Scale(covering: values)
            let heights = values.map { scale.y(of: $0, in: Self.plot) }
            #expect(zip(heights, heights.dropFirst()).allSatisfy { $0 >= $1 }, "\(values)")
            #expect(heights.allSatisfy { $0 >= Self.plot.top && $0 <= Self.plot.bottom }, "\(values)")
        }
    }

    @Test("the lowest tick stands at the bottom and the highest at the top")
    func edges() {
        let scale = Scale(covering: [-40, 90] as [Int64])
        #expect(scale.y(of: -50 as Int64, in: Self.plot) == 260)
        #expect(scale.y(of: 100 as Int64, in: Self.plot) == 40)
    }

    @Test("the largest and the smallest numbers there are have a scale, too")
    func extremes() {
        for values in [[Int64.max], [.min], [.min, .max], [.max, 1], [.min, 0, 1]] as [[Int64]] {
            let scale = Scale(covering: values)
            #expect(scale.ticks.contains(0))
            for value in values {
                let y = scale.y(of: value, in: Self.plot)
                #expect(y >= Self.plot.top && y <= Self.plot.bottom)
            }
        }
    }

    /// Returns true for 1, 2, 2.5 or 5 times a power of ten.
    private func isRound(_ step: Int64) -> Bool {
        var step = step
        while step.isMultiple(of: 10) { step /= 10 }
        return [1, 2, 5, 25].contains(step)
    }
}
