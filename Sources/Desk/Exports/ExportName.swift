import Billing
import Foundation
import HTTP
import Words

/// The name of an exported file.
enum ExportName {
    /// "orders-20261121T024000Z-status-refunded.csv": when, in UTC, and the filter as far as ASCII letters and digits go.
    static func file(of list: String, filter: String, at now: Date) -> String {
        let moment = CivilTime(local: now.wholeSeconds).isoText(offset: 0).prefix(19)
        let stamp = moment.filter { $0 != "-" && $0 != ":" } + "Z"
        let decoded = (try? URLEncoded.decode(filter.utf8)) ?? ""
        let strings = decoded.unicodeScalars.map { scalar in
            scalar.isASCII && scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) ? Character(scalar) : "-"
        }
        let slug = String(strings).split(separator: "-").joined(separator: "-").prefix(60)
        return (["\(list)", String(stamp)] + (slug.isEmpty ? [] : [String(slug)])).joined(separator: "-") + ".csv"
    }
}
