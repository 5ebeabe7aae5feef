import Billing
import Foundation
import Gateways
import Testing

extension AppleServerCase {
    static let failures = [
        failed(
            "api_error",
            .error(5_000_000, "An unknown error occurred."),
            500,
            5_000_000,
            .generalInternal,
            "An unknown error occurred."
        ),
        failed(
            "api_too_many_requests",
            .error(4_290_000, "Rate limit exceeded."),
            429,
            4_290_000,
            .rateLimitExceeded,
            "Rate limit exceeded."
        ),
        failed(
            "unknown_error",
            .error(9_990_000, "Testing error.", status: 400),
            400,
            9_990_000,
            nil,
            "Testing error."
        ),
        failed("exception_with_malformed_json", .page(400), 400, nil, nil, nil),
    ]

    private static func failed(
        _ name: String,
        _ reply: StubTransport.Reply,
        _ status: Int,
        _ rawCode: Int64?,
        _ code: AppleErrorCode?,
        _ message: String?
    ) -> AppleServerCase {
        AppleServerCase(name, "POST", "/inApps/v1/notifications/test", reply: reply) { api in
            let error = try await failure { _ = try await api.requestTestNotification(in: .production) }
            #expect(error.httpStatus == status)
            #expect(error.rawCode == rawCode)
            #expect(error.code == code)
            #expect(error.message == message)
        }
    }
}

extension StubTransport.Reply {
    fileprivate static func error(_ code: Int64, _ message: String, status: Int) -> StubTransport.Reply {
        json(["errorCode": .integer(code), "errorMessage": .string(message)], status: status)
    }
}
