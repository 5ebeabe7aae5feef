/// What staff do to a batch; raw values end addresses.
enum PromoBatchChange: String, CaseIterable, Sendable {
    case stop
    case resume
}
