import Foundation

/// The number of rounds of a randomized test: a sample, or all with `PERENNIAL_TESTS=whole`, as `bin/ci --full` sets it.
package enum TestScale {
    package static let isWhole = ProcessInfo.processInfo.environment["PERENNIAL_TESTS"] == "whole"

    package static func rounds(_ whole: Int, sampled: Int) -> Int { isWhole ? whole : sampled }
}
