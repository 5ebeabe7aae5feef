import APITypes
import HTTPTypes
import Operations
import Storage
import HTTP

extension DashboardPath {
    static let promoCodes = "/dashboard/promo-codes"
    /// The form for a new batch, and the question whether to make it.
    static let newPromoBatch = promoCodes + "/new"

    static func promoBatch(_ id: PromoBatch.ID, from: String? = nil) -> String {
        "\(promoCodes)/\(id)\(suffix(from: from))"
    }

    /// A batch's codes as a file.
    static func promoCodes(of id: PromoBatch.ID) -> String { "\(promoBatch(id))/codes.csv" }

    /// The page that asks before a batch is changed.
    static func promoBatch(_ id: PromoBatch.ID, _ change: PromoBatchChange) -> String {
        "\(promoBatch(id))/\(change.rawValue)"
    }
}
