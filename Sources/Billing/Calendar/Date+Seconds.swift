package import Foundation

extension Date {
    /// Whole seconds since 1970, rounded down. What lies further than 30,000 years away is that far: an offset can be added to it, and a
    /// calendar read from it.
    package var wholeSeconds: Int {
        Int(bounding: min(max(timeIntervalSince1970.rounded(.down), -1_000_000_000_000), 1_000_000_000_000))
    }
}
