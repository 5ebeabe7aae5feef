import Billing
import Foundation

/// The access token of one service account, asked for when there is none that is good for a while.
actor GoogleAccessTokens {
    private let account: GoogleServiceAccount
    private let transport: any StoreTransport
    private let timeout: Duration
    private var current: (token: Secret, end: Date)?
    private var asking: Task<(token: Secret, end: Date), any Error>?

    init(of account: GoogleServiceAccount, transport: any StoreTransport, timeout: Duration) {
        (self.account, self.transport, self.timeout) = (account, transport, timeout)
    }

    /// - Parameter refused: a token that Google did not take: another is asked for in its place.
    func token(besides refused: Secret? = nil, at now: Date) async throws(StoreFailure) -> Secret {
        if let current, current.token != refused, current.end > now { return current.token }
        do {
            // A caller that comes while another asks waits for the same answer.
            let task =
                asking
                ?? Task { [account, transport, timeout] in
                    try await Self.ask(for: account, over: transport, at: now, timeout)
                }
            asking = task
            defer { if asking == task { asking = nil } }
            let answer = try await task.value
            current = answer
            return answer.token
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw .unanswered(GatewayError(.unreachable, "The question for a token was given up.", underlying: error))
        }
    }

    /// A minute less than Google says: what is asked with it takes some time.
    private static let reserve: TimeInterval = 60

    private static func ask(
        for account: GoogleServiceAccount,
        over transport: any StoreTransport,
        at now: Date,
        _ timeout: Duration
    ) async throws(StoreFailure) -> (token: Secret, end: Date) {
        let response: StoreResponse
        do {
            let form = FormFields.encode([
                ("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"),
                ("assertion", try account.assertion(at: now)),
            ])
            response = try await transport.send(
                StoreRequest(
                    "POST",
                    account.tokenURL,
                    headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
                    body: Data(form.utf8),
                    timeout: timeout,
                    longestAnswer: 64 << 10,
                    asker: account.email
                )
            )
        } catch {
            throw StoreFailure(refusal: nil, else: error)
        }
        guard response.status == 200 else { throw failure(response) }
        return try StoreFailure.reading { () throws(GatewayError) in
            let fields = try JSONFields(try JSON(parsing: Array(response.body)), of: "token")
            let token = try fields.required("access_token")
            guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw GatewayError(.malformed, "Google's access token is none.")
            }
            let seconds = TimeInterval(min(max(0, try fields.integer("expires_in") ?? 0), 86_400))
            return (Secret(token), now.addingTimeInterval(max(1, seconds - reserve)))
        }
    }

    /// RFC 6749, 5.2: which of its errors are about the key.
    private static func failure(_ response: StoreResponse) -> StoreFailure {
        let body = try? JSON(parsing: Array(response.body))
        let error = body?["error"]?.string
        guard let error, (400..<500).contains(response.status),
            ["invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope"].contains(error)
        else {
            return .unanswered(
                GatewayError(
                    response.status == 429 || response.status >= 500 ? .unreachable : .malformed,
                    "Google gave out no access token (HTTP \(response.status))."
                )
            )
        }
        let words = (body?["error_description"]?.string ?? "").split(whereSeparator: \.isWhitespace)
        return .misconfigured(
            GatewayError(
                .misconfigured,
                "Google does not accept the service account's key (\(error)): \(cause(words.joined(separator: " "))).",
                field: GoogleSetting.serviceAccount
            )
        )
    }

    /// Google's own words, and what they mean.
    private static func cause(_ words: String) -> String {
        let meaning =
            if words.contains("timeframe") || words.contains("iat") {
                "this server's clock is wrong"
            } else if words.contains("Signature") {
                "the key was deleted, or is another account's"
            } else if words.contains("account not found") {
                "the service account does not exist any more"
            } else {
                "it was deleted, or this server's clock is wrong"
            }
        return words.isEmpty ? meaning : "\(meaning) (\(words.prefix(200)))"
    }
}
