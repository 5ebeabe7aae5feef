/// Alipay's sign-in endpoints and the meanings of their errors.
enum AlipayEndpoint: Hashable, Sendable {
    case exchange
    case refresh
    case userInfo

    var method: String {
        switch self {
        case .exchange, .refresh: "alipay.system.oauth.token"
        case .userInfo: "alipay.user.info.share"
        }
    }

    func failure(_ response: AlipayResponse) -> SignInFailure {
        var failure = Self.meaning(ofCode: response.code ?? "", response.subCode ?? "")
        failure.error.providerCode = response.subCode ?? response.code
        return failure
    }

    private static func meaning(ofCode code: String, _ subCode: String) -> SignInFailure {
        switch (code, subCode) {
        case (_, "isv.code-invalid"), (_, "isv.code-is-old"), (_, "isv.code-used"), (_, "isv.code-expired"):
            SignInFailure(.invalidCode, "Alipay does not know the code, or it is used or has expired.", field: "code")
        case (_, "isv.refresh-token-invalid"), (_, "isv.refresh-token-time-out"), (_, "aop.invalid-auth-token"),
            (_, "aop.auth-token-time-out"):
            SignInFailure(.invalidCode, "Alipay's token has expired.", field: "code")
        case (_, "isp.unknow-error"), (_, "isp.unknown-error"), (_, "aop.unknow-error"), (_, "ACQ.SYSTEM_ERROR"),
            (_, "aop.ACQ.SYSTEM_ERROR"), ("20000", _):
            SignInFailure(.unavailable, "Alipay is busy.", .busy)
        case ("20001", _): SignInFailure(.invalidCode, "Alipay's token has expired.", field: "code")
        case ("40001", _), ("40002", _):
            SignInFailure(
                .misconfigured,
                "Alipay does not take the app's APPID, key or request.",
                field: setting(subCode)
            )
        case ("40003", _): SignInFailure(.denied, "Alipay does not let this person sign in.")
        case ("40005", _):
            SignInFailure(.unavailable, "Alipay's limit of calls is used up.", retryAfter: .seconds(10), .busy)
        case ("40006", _):
            SignInFailure(
                .misconfigured,
                "The app may not sign people in at Alipay: it has no contract for that product."
            )
        default: SignInFailure(.unavailable, "Alipay refused.")
        }
    }

    private static func setting(_ subCode: String) -> String? {
        switch subCode {
        case "isv.invalid-app-id", "isv.missing-app-id": "identifier"
        case "isv.invalid-signature", "isv.missing-signature", "isv.missing-signature-key": AlipaySetting.privateKey
        default: nil
        }
    }
}
