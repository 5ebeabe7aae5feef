/// The text that is kept of a verified notification: as it came, without the members that name its payer. Nothing here reads those of a
/// notification, whose payment is asked for, and its signature has been verified by then.
struct AlipayKeptForm: Hashable, Sendable {
    let text: String

    /// - Parameter payload: as it came: a form that was read before.
    init(_ payload: String) {
        let fields = payload.utf8.split(separator: UInt8(ascii: "&")).filter { !Self.namesThePayer($0) }
        text = fields.map { String(Substring($0)) }.joined(separator: "&")
    }

    /// True for each member of the payer (`buyer_id`, `buyer_open_id`, `buyer_logon_id`, and those that Alipay may add), but for the amount
    /// that they paid.
    private static func namesThePayer(_ field: Substring.UTF8View) -> Bool {
        // A name may be escaped like anything else.
        guard let name = try? ReceivedForm(field).fields.first?.name.lowercased() else { return false }
        return name.hasPrefix("buyer_") && name != "buyer_pay_amount"
    }
}
