import Foundation

/// An answer of Alipay's OpenAPI, believed by its signature over the bytes of the response as they came.
struct AlipayResponse {
    /// The response; that of a refusal may be unsigned.
    let content: JSON
    let isRefusal: Bool
    /// False of a refusal that anybody might have written: faults of the gateway itself come so.
    let isSigned: Bool
    let code: String?
    let subCode: String?
    /// Alipay's own words for people, cut short.
    let words: String?

    /// - Throws: `GatewayError`: `.malformed` for what is no answer, `.invalidSignature` for one that Alipay did not sign; a success
    ///   without a signature is none.
    init(_ body: [UInt8], to method: String, from signers: AlipaySigners, at now: Date) throws(GatewayError) {
        var parser = JSONParser(body)
        let members = try parser.rawMembers()
        // Of two of a name one might be signed and the other read.
        guard Set(members.map(\.name)).count == members.count else {
            throw GatewayError(.malformed, "The answer has a member twice.")
        }
        let name = method.replacing(".", with: "_") + "_response"
        let error = members.first { $0.name == "error_response" }
        guard let response = error ?? members.first(where: { $0.name == name }) else {
            throw GatewayError(.missing, "The answer has no response.")
        }
        content = try JSON(parsing: response.value)
        guard case .object = content else { throw GatewayError(.malformed, "The response is not a JSON object.") }
        code = Self.word(content["code"])
        subCode = Self.word(content["sub_code"])
        isRefusal = error != nil || (code != nil && code != "10000")
        words = Self.words(content["sub_msg"]?.string ?? content["msg"]?.string)
        func text(_ name: String) throws(GatewayError) -> String? {
            guard let member = members.first(where: { $0.name == name }) else { return nil }
            return try JSON(parsing: member.value).string ?? ""
        }
        isSigned = members.contains { $0.name == "sign" }
        guard isSigned else {
            guard isRefusal else { throw GatewayError(.invalidSignature, "The answer is not signed.", field: "sign") }
            return
        }
        try signers.requireSigned(
            response.value,
            as: try text("sign"),
            serial: try text("alipay_cert_sn"),
            at: now
        )
    }

    /// A code that may be shown and logged: `40002`, `isv.code-invalid`.
    private static func word(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) == nil ? nil : text
        case .integer(let number): String(number)
        default: nil
        }
    }

    private static func words(_ text: String?) -> String? {
        let plain = (text ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(200)
        return plain.isEmpty ? nil : String(String.UnicodeScalarView(plain))
    }
}
