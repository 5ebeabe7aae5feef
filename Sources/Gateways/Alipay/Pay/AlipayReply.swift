import Foundation

/// An answer to one of our calls, with what follows from it.
struct AlipayReply {
    let call: AlipayCall
    let response: AlipayResponse
    let verdict: AlipayVerdict

    init(to call: AlipayCall, _ response: AlipayResponse) {
        self.call = call
        self.response = response
        let verdict = AlipayVerdict(code: response.code, subCode: response.subCode, to: call)
        // Anybody on the way can write an error that is not signed. A setting that is wrong is no end, and is told that way, too.
        self.verdict =
            switch verdict {
            case .done, .paying, .unknownOutcome, .later, .queryFirst, .notThere, .noBill, .final, .unlisted:
                response.isSigned ? verdict : .unlisted
            case .setting: .setting
            }
    }

    /// The members of a success.
    ///
    /// - Throws: the failure that the verdict is.
    var fields: JSONFields {
        get throws(StoreFailure) {
            guard verdict == .done || verdict == .paying else { throw failure }
            return try StoreFailure.reading { () throws(GatewayError) in
                try JSONFields(response.content, of: "response")
            }
        }
    }

    /// The failure that an answer without success comes to: only a signed code that Alipay documents as final is final.
    var failure: StoreFailure {
        let code = [response.code, response.subCode].compactMap(\.self).joined(separator: ", ")
        let words = response.words.map { ": \($0)" } ?? ""
        let sentence = "Alipay answered \(code.isEmpty ? "without a code" : code)\(words)."
        switch verdict {
        case .final:
            return .refused(
                StoreRefusal(code: response.code.flatMap { Int64($0) }, GatewayError(.malformed, sentence))
            )
        case .setting:
            return .misconfigured(GatewayError(.misconfigured, sentence, field: setting))
        case .unknownOutcome, .later: return StoreFailure(unreadable: GatewayError(.unreachable, sentence))
        case .done, .paying, .queryFirst, .notThere, .noBill, .unlisted:
            return StoreFailure(unreadable: GatewayError(.malformed, sentence))
        }
    }

    private var setting: String? {
        switch response.subCode {
        case "isv.invalid-app-id", "isv.missing-app-id": "identifier"
        case "isv.invalid-signature", "isv.missing-signature", "isv.missing-signature-key":
            "secrets.\(AlipaySetting.privateKey)"
        default: nil
        }
    }
}
