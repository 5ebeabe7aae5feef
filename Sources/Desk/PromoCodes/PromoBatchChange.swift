/// A change of staff to a batch; raw values end addresses.
package enum PromoBatchChange: String, CaseIterable, Sendable {
    case stop
    case resume
}
