import CryptoExtras

/// An answer of Alipay's OpenAPI, believed by its signature over the bytes of the response as they came.
struct AlipayResponse {
    /// The response; that of a refusal may be unsigned.
    let content: JSON
    let isRefusal: Bool
    let code: String?
    let subCode: String?

    /// - Throws: `GatewayError`: `.malformed` for what is no answer, `.invalidSignature` for one that Alipay did not sign; a success
    ///   without a signature is none.
    init(_ body: [UInt8], to method: String, alipayKey: _RSA.Signing.PublicKey) throws(GatewayError) {
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
        let sign = members.first { $0.name == "sign" }
        guard let sign else {
            // Faults of the gateway itself come without one.
            guard isRefusal else { throw GatewayError(.invalidSignature, "The answer is not signed.", field: "sign") }
            return
        }
        guard try Self.isSigned(response.value, by: alipayKey, try JSON(parsing: sign.value).string) else {
            throw GatewayError(
                .invalidSignature,
                "The answer is not signed with the key that is kept as Alipay's.",
                field: "sign"
            )
        }
    }

    private static func isSigned(
        _ bytes: [UInt8],
        by key: _RSA.Signing.PublicKey,
        _ sign: String?
    ) throws(GatewayError) -> Bool {
        guard let signature = Base64.decode(standard: Array((sign ?? "").utf8)) else { return false }
        return key.signed(bytes, as: signature)
    }

    /// A code that may be shown and logged: `40002`, `isv.code-invalid`.
    private static func word(_ value: JSON?) -> String? {
        switch value {
        case .string(let text): text.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) == nil ? nil : text
        case .integer(let number): String(number)
        default: nil
        }
    }
}
