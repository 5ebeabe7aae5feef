/// A note on a difference between a bill and the books, or the reason for closing it.
public struct BillNoteRequest: ReasonedRequest, Hashable {
    public var closes: Bool?
    public var category: String?
    public var reason: String?

    public static let body = RequestBody(
        required: [.category, .reason],
        optional: [.init("closes", \Self.closes, "Whether nothing is left to be done about it; false without it.")]
    )

    public init(closes: Bool? = nil, category: String?, reason: String?) {
        self.closes = closes
        self.category = category
        self.reason = reason
    }
}
