import CivilCalendar
package import Foundation

extension Date {
    /// Reads a moment of RFC 3339, to the millisecond; nil for what is none (`CivilMoment`).
    ///
    /// - Parameter takesBareOffsets: also `+0200`, as Xcode writes an offset.
    package init?(rfc3339 text: some StringProtocol, takesBareOffsets: Bool = false) {
        guard let moment = CivilMoment(rfc3339: text, takesBareOffsets: takesBareOffsets) else { return nil }
        self.init(timeIntervalSince1970: Double(moment.seconds) + Double(moment.milliseconds) / 1_000)
    }
}
