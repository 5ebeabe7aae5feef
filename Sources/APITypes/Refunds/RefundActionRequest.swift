/// An action on a refund request: `POST /admin/refunds/{number}/approve`, `…/reject`, `…/cancel`, `…/process`, `…/send`, `…/settle`.
public struct RefundActionRequest: ReasonedRequest, Hashable {
    /// For an approval of less than the requested amount.
    public var amount: Amount?
    /// For an approval from the app's threshold on: the last six characters of the order's number.
    public var confirmation: String?
    /// For an approval at a store that is told whether access ends with the refund; true without it.
    public var revokes: Bool?
    /// For processing: the payer, `STORE` or `ELSEWHERE`.
    public var paidBy: String?
    /// For processing: the number of the transfer.
    public var reference: String?
    /// For settling: the account, `MERCHANT` or `CUSTOMER`.
    public var way: String?
    /// For settling to the customer's card: the bank by the store's word.
    public var bank: String?
    public var account: String?
    public var name: String?
    public var category: String?
    public var reason: String?
    /// The version that was seen.
    public var version: Int?

    public static let approval = RequestBody(
        required: [.category, .reason],
        optional: [
            version, .init("amount", \.amount, "For less than was asked for.", .above(0)),
            .init(
                "confirmation",
                \.confirmation,
                "From the app's threshold on: the last six characters of the order's number."
            ),
            .init(
                "revokes",
                \.revokes,
                "Whether access at the store ends with the refund, where the store is told so (Google Play); true without it."
            ),
        ]
    )
    public static let rejection = RequestBody(required: [.category, .reason], optional: [version])
    public static let cancellation = RequestBody(required: [.category, .reason], optional: [version])
    public static let payment = RequestBody(
        required: [
            .category, .reason, .init("paidBy", \.paidBy, "Who paid.", .oneOf(["STORE", "ELSEWHERE"])),
            .init(
                "reference",
                \.reference,
                "The number of the transfer, or the store's own number of the refund.",
                .length(3, 100),
                .example(.string("TRANSFER-20261126-17"))
            ),
        ],
        optional: [version]
    )

    public static let sending = RequestBody(required: [.category, .reason], optional: [version])
    public static let settlement = RequestBody(
        required: [
            .category, .reason,
            .init(
                "way",
                \.way,
                "Where to: the merchant's bank account, or the customer's bank card.",
                .oneOf(["MERCHANT", "CUSTOMER"])
            ),
        ],
        optional: [
            version, .init("bank", \.bank, "Of the customer's card: the bank by the store's word, `ICBC_DEBIT`."),
            .init(
                "account",
                \.account,
                "Of the customer's card: its number. The store is told it; it is kept nowhere."
            ),
            .init("name", \.name, "Of the customer's card: the name on it. The store is told it; it is kept nowhere."),
        ]
    )

    private static let version = RequestBody.Member<Self>(
        "version",
        \.version,
        "The version that was seen; a later one is a conflict, and nothing is done.",
        .range(1)
    )

    public init(
        amount: Amount? = nil,
        confirmation: String? = nil,
        revokes: Bool? = nil,
        paidBy: String? = nil,
        reference: String? = nil,
        way: String? = nil,
        bank: String? = nil,
        account: String? = nil,
        name: String? = nil,
        category: String? = nil,
        reason: String? = nil,
        version: Int? = nil
    ) {
        self.amount = amount
        self.confirmation = confirmation
        self.revokes = revokes
        self.paidBy = paidBy
        self.reference = reference
        (self.way, self.bank, self.account, self.name) = (way, bank, account, name)
        self.category = category
        self.reason = reason
        self.version = version
    }
}
