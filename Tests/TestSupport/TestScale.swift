import Foundation

/// How often a test of chance is repeated: a sample of its rounds, or with `PERENNIAL_TESTS=whole`, as `bin/ci --full` sets it,
/// all of them.
package enum TestScale {
    package static let isWhole = ProcessInfo.processInfo.environment["PERENNIAL_TESTS"] == "whole"

    package static func rounds(_ whole: Int, sampled: Int) -> Int { isWhole ? whole : sampled }
}
