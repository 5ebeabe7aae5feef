import Foundation

/// A form that Alipay signs: a notification, or the query of the page that a customer comes back to.
///
/// Signed are all members that came but `sign` and `sign_type`, unescaped once, by name, in the charset that they are in; unknown
/// ones, spaces and quotation marks included. Some of Alipay's servers sign empty members, others leave them out: both say the same,
/// so both are tried (payments.md, 7).
struct AlipaySignedForm: Sendable {
    let form: ReceivedForm

    /// - Throws: `.malformed`, also for another kind of signature than RSA2.
    init(_ text: some Collection<UInt8>) throws(GatewayError) {
        form = try ReceivedForm(text)
        guard form.text("sign") != nil else { throw GatewayError(.malformed, "The form has no sign.", field: "sign") }
        guard form.text("sign_type") ?? "RSA2" == "RSA2" else {
            throw GatewayError(.unsupportedAlgorithm, "The form is not signed with RSA2.", field: "sign_type")
        }
    }

    /// - Parameter mayNameType: whether `sign_type` may be signed, too, as on return pages.
    /// - Throws: `.invalidSignature`
    func requireSigned(by signers: AlipaySigners, mayNameType: Bool, at now: Date) throws(GatewayError) {
        var last: GatewayError?
        for text in texts(mayNameType: mayNameType) {
            do throws(GatewayError) {
                return try signers.requireSigned(text, as: form.text("sign"), at: now)
            } catch {
                last = error
            }
        }
        throw last ?? GatewayError(.invalidSignature, "The form is not signed.", field: "sign")
    }

    /// The texts that may have been signed, the likeliest first.
    func texts(mayNameType: Bool) -> [[UInt8]] {
        var texts: [[UInt8]] = []
        for namesType in mayNameType ? [false, true] : [false] {
            for hasEmpty in [true, false] {
                let text = text(namingType: namesType, withEmpty: hasEmpty)
                if !texts.contains(text) { texts.append(text) }
            }
        }
        return texts
    }

    private func text(namingType: Bool, withEmpty: Bool) -> [UInt8] {
        let signed = form.fields.filter { field in
            field.name != "sign" && (namingType || field.name != "sign_type") && (withEmpty || !field.value.isEmpty)
        }
        let lines = signed.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map { Array($0.name.utf8) + [UInt8(ascii: "=")] + $0.value }
        return Array(lines.joined(separator: [UInt8(ascii: "&")]))
    }

    /// - Throws: `.missing`
    func required(_ name: String) throws(GatewayError) -> String {
        guard let text = form.text(name) else {
            throw GatewayError(.missing, "The field \(name) is missing.", field: name)
        }
        return text
    }

    /// Alipay's charset for its Chinese names is no matter here: what is read is ASCII in all of them.
    func text(_ name: String) -> String? { form.text(name) }
}
