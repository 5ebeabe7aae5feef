import APITypes
import Storage

extension PurchaseVerification {
    /// The items of the proof that prove nothing.
    var worthlessProofs: [WorthlessProof] {
        worthless.map { item in
            let parts = item.split(separator: ": ", maxSplits: 1).map(String.init)
            return WorthlessProof(field: parts.first ?? "", reason: parts.dropFirst().first ?? "")
        }
    }
}
