import Testing

@testable import Storage

@Suite("Duration histogram") struct DurationHistogramTests {
    @Test("a percentile lies between the bounds of its bucket, as far as its place among the bucket's durations")
    func byHand() throws {
        var histogram = DurationHistogram()
        #expect(histogram.percentile(95) == nil)
        // Four within the first millisecond: the median is the second, half of the way to its end.
        for _ in 0..<4 { histogram.add(seconds: 0.0004) }
        #expect(histogram.counts == [4])
        #expect(histogram.percentile(50) == 0.0005)
        #expect(histogram.percentile(100) == 0.001)
        // Four more between 1.1 and 1.21 ms: 75 % is the second of them.
        for _ in 0..<4 { histogram.add(seconds: 0.00115) }
        #expect(histogram.counts == [4, 0, 4])
        let upperQuarter = try #require(histogram.percentile(75))
        #expect(abs(upperQuarter - 0.001155) < 1e-12)
    }

    @Test("what no clock can mean counts as nothing, what is longer than all bounds as the longest")
    func edges() throws {
        var histogram = DurationHistogram()
        histogram.add(seconds: -5)
        histogram.add(seconds: .nan)
        #expect(histogram.counts == [2])
        histogram.add(seconds: 1e12)
        histogram.add(seconds: .infinity)
        #expect(histogram.total == 4)
        #expect(histogram.counts.last == 2)
        let longest = try #require(histogram.percentile(100))
        #expect(longest > 7 * 86_400)
    }

    @Test("two histograms added are the histogram of both", arguments: 0..<8 as Range<UInt64>)
    func merging(seed: UInt64) {
        var numbers = SeededDurations(seed: seed)
        var (one, other, both) = (DurationHistogram(), DurationHistogram(), DurationHistogram())
        for index in 0..<500 {
            let seconds = numbers.next()
            both.add(seconds: seconds)
            if index.isMultiple(of: 3) { one.add(seconds: seconds) } else { other.add(seconds: seconds) }
        }
        one.merge(other)
        #expect(one == both)
    }

    @Test("percentiles are within a tenth of those of the durations themselves", arguments: 0..<20 as Range<UInt64>)
    func accuracy(seed: UInt64) throws {
        var numbers = SeededDurations(seed: seed)
        let durations = (0..<2_000).map { _ in numbers.next() }.sorted()
        var histogram = DurationHistogram()
        for seconds in durations { histogram.add(seconds: seconds) }
        for percent in [1.0, 25, 50, 90, 95, 99, 99.9] {
            let exact = durations[Int((Double(durations.count) * percent / 100).rounded(.up)) - 1]
            let told = try #require(histogram.percentile(percent))
            #expect(abs(told - exact) <= max(exact * 0.1, 0.001), "\(percent) %: \(told) for \(exact)")
        }
    }
}

/// Durations from a fraction of a millisecond to hours, most of them short.
private struct SeededDurations {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    }

    mutating func next() -> Double {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let fraction = Double(state >> 11) / Double(1 << 53)
        return 0.0003 / (1.000_000_01 - fraction)
    }
}
