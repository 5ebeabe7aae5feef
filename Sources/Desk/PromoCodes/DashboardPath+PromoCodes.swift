import APITypes
import HTTP
import HTTPTypes
import Operations
package import Storage

extension DashboardPath {
    package static let promoCodes = "/dashboard/promo-codes"
    /// The form for a new batch, and the question whether to make it.
    package static let newPromoBatch = promoCodes + "/new"

    package static func promoBatch(_ id: PromoBatch.ID, from: String? = nil) -> String {
        "\(promoCodes)/\(id)\(suffix(from: from))"
    }

    /// A batch's codes as a file.
    package static func promoCodes(of id: PromoBatch.ID) -> String { "\(promoBatch(id))/codes.csv" }

    /// The page that asks before a batch is changed.
    package static func promoBatch(_ id: PromoBatch.ID, _ change: PromoBatchChange) -> String {
        "\(promoBatch(id))/\(change.rawValue)"
    }
}
