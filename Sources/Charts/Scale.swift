/// The values an axis runs over: from tick to tick in round steps, zero among them.
///
/// Steps are 1, 2, 2.5 or 5 times a power of ten, whole numbers always. There are three to six ticks; two only where
/// nothing lies between zero and one. 128 bits hold what values of 64 bits add up to.
package struct Scale: Sendable, Hashable {
    /// The lowest tick: zero, or below all values.
    let low: Int128
    /// The highest tick: zero, or above all values.
    let high: Int128
    let step: Int128

    /// - Parameter values: the values to show; for none, or zeros alone, the scale runs from 0 to 1.
    package init(covering values: some Sequence<Int128>) {
        var (low, high) = (Int128.zero, Int128.zero)
        for value in values { (low, high) = (min(low, value), max(high, value)) }
        if low == high { high = 1 }
        var step = Step()
        while Scale.steps(to: high, by: step.size) + Scale.steps(to: -low, by: step.size) >= Scale.mostTicks {
            step.grow()
        }
        self.step = step.size
        self.low = -Scale.steps(to: -low, by: step.size) * step.size
        self.high = Scale.steps(to: high, by: step.size) * step.size
    }

    package init(covering values: some Sequence<Int64>) {
        self.init(covering: values.lazy.map { Int128($0) })
    }

    /// From the lowest to the highest; without those that 64 bits cannot hold.
    package var ticks: [Int64] {
        (0...(high - low) / step).compactMap { Int64(exactly: low + $0 * step) }
    }

    /// Returns the height of a value in a plot, as a coordinate to a tenth of a unit.
    package func y(of value: Int128, in plot: Box) -> Coordinate {
        let (height, range) = (Int128(plot.height.tenths), high - low)
        return plot.bottom - Coordinate(tenths: Int(((value - low) * height * 2 + range) / (range * 2)))
    }

    package func y(of value: Int64, in plot: Box) -> Coordinate {
        y(of: Int128(value), in: plot)
    }

    private static let mostTicks: Int128 = 6

    /// Steps it takes from zero to reach a value that is not below it.
    private static func steps(to value: Int128, by step: Int128) -> Int128 {
        (value + step - 1) / step
    }

    /// 1, 2, 5, 10, 20, 25, 50, 100 …
    private struct Step {
        private(set) var size: Int128 = 1
        private var power: Int128 = 1

        mutating func grow() {
            switch size {
            case power: size = 2 * power
            case 2 * power where power > 1: size = power / 2 * 5
            case 2 * power, power / 2 * 5: size = 5 * power
            default:
                power *= 10
                size = power
            }
        }
    }
}
