/// WeChat's endpoints and their error codes: the same code may concern the code at one endpoint and the token at another.
enum WeChatEndpoint: Hashable, Sendable {
    case exchange
    case refresh
    case userInfo

    /// - Parameter errcode: WeChat's error code; its own message is not kept, as it may quote the request.
    func failure(_ errcode: Int64) -> SignInFailure {
        var failure = meaning(of: errcode)
        failure.error.providerCode = String(errcode)
        return failure
    }

    private func meaning(of errcode: Int64) -> SignInFailure {
        switch errcode {
        case -1: SignInFailure(.unavailable, "WeChat is busy.", .busy)
        // So many calls a minute.
        case 45_009, 45_011:
            SignInFailure(.unavailable, "WeChat's limit of calls is used up.", retryAfter: .seconds(60), .busy)
        case 40_163: SignInFailure(.usedCode, "The code was exchanged before.", field: "code")
        case 40_029, 41_008, 42_003:
            SignInFailure(.invalidCode, "WeChat does not know the code, or it has expired.", field: "code")
        case 40_030, 42_002, 42_007:
            SignInFailure(.invalidCode, "WeChat's refresh token has expired.", field: "code")
        case 40_226, 50_002: SignInFailure(.denied, "WeChat does not let this person sign in.")
        // "Invalid credential": the app's secret where that was shown, else the token.
        case 40_001, 40_014, 42_001:
            self == .exchange
                ? Self.misconfigured("AppSecret", field: WeChatSetting.appSecret)
                : SignInFailure(.invalidCode, "WeChat's token has expired.", field: "code")
        case 40_013, 41_002: Self.misconfigured("AppID", field: "identifier")
        case 40_125, 41_004: Self.misconfigured("AppSecret", field: WeChatSetting.appSecret)
        // Set at WeChat: the addresses of servers, and what the app may do.
        case 40_164: Self.misconfigured("server's address")
        case 48_001, 50_001: Self.misconfigured("permission to sign people in")
        default: SignInFailure(.unavailable, "WeChat refused with \(errcode).")
        }
    }

    private static func misconfigured(_ setting: StaticString, field: String? = nil) -> SignInFailure {
        SignInFailure(.misconfigured, "WeChat does not take the app's \(setting).", field: field)
    }
}
