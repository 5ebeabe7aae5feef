import Billing
import Foundation

/// Asks the Google Play Developer API about one app, with the service account's token (payments.md, 1D).
final class GoogleClient: Sendable {
    let packageName: String
    let clock: AppleServerClock
    private let api: String
    private let tokens: GoogleAccessTokens
    private let transport: any StoreTransport
    private let policy: AppleRetryPolicy
    private let timeout: Duration

    /// - Parameter timeout: how long one answer may take.
    init(
        _ configuration: GoogleConfiguration,
        _ account: GoogleServiceAccount,
        transport: any StoreTransport,
        policy: AppleRetryPolicy,
        clock: AppleServerClock,
        timeout: Duration = .seconds(30)
    ) {
        packageName = configuration.packageName
        api = configuration.api
        tokens = GoogleAccessTokens(of: account, transport: transport, timeout: timeout)
        (self.transport, self.policy, self.clock, self.timeout) = (transport, policy, clock, timeout)
    }

    /// Asks until there is an answer, or a reason to stop.
    func ask<Content: Sendable>(
        _ call: GoogleCall,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(GoogleCallFailure) -> Content {
        try await answer(to: call, read: read).content
    }

    /// The answer, with the moment from which on it is true.
    func answer<Content: Sendable>(
        to call: GoogleCall,
        read: (JSON) throws(GatewayError) -> Content
    ) async throws(GoogleCallFailure) -> GoogleAnswer<Content> {
        var pauses = ArraySlice(policy.pauses)
        var refused: Secret?
        while true {
            do throws(GoogleCallFailure) {
                var askedAt = clock.now()
                let json = try await attempt(call, besides: &refused, at: &askedAt)
                do throws(GatewayError) {
                    return GoogleAnswer(content: try read(json), askedAt: askedAt)
                } catch {
                    throw GoogleCallFailure(StoreFailure(unreadable: error))
                }
            } catch {
                guard isWorthAsking(call, error), let pause = pauses.popFirst(),
                    (try? await clock.sleep(pause + pause * (clock.jitter() / 5))) != nil
                else { throw error }
            }
        }
    }

    private func isWorthAsking(_ call: GoogleCall, _ error: GoogleCallFailure) -> Bool {
        if error.isUnknown { return call.isFresh }
        guard case .unanswered = error.failure else { return false }
        // The caller reads anew if somebody else changed it meanwhile.
        if error.error?.isConflict == true { return call.method == "GET" }
        return call.isRepeatable || error.error?.isQuota == true
    }

    /// A token that Google does not take is renewed once.
    ///
    /// - Parameter moment: set to the one at which the question that is answered was sent.
    private func attempt(
        _ call: GoogleCall,
        besides refused: inout Secret?,
        at moment: inout Date
    ) async throws(GoogleCallFailure) -> JSON {
        for isLast in [false, true] {
            let token: Secret
            do {
                token = try await tokens.token(besides: refused, at: clock.now())
            } catch {
                throw GoogleCallFailure(error)
            }
            moment = clock.now()
            let response = try await send(call, bearer: token)
            if response.status == 401, !isLast {
                refused = token
                continue
            }
            // Another status between these and 300 is of something on the way.
            guard response.status == 200 || response.status == 204 && !call.answersWithBody else {
                throw GoogleCallFailure(response, to: call)
            }
            return try Self.body(of: response, to: call)
        }
        throw GoogleCallFailure(.unanswered(GatewayError(.unreachable, "Google takes no token.")))
    }

    private func send(_ call: GoogleCall, bearer token: Secret) async throws(GoogleCallFailure) -> StoreResponse {
        var headers = [
            "Authorization": "Bearer \(token.revealed)", "Accept": "application/json", "User-Agent": "Perennial",
        ]
        if call.body != nil { headers["Content-Type"] = "application/json" }
        let app = GoogleCall.Part.segment(packageName).text
        do {
            return try await transport.send(
                StoreRequest(
                    call.method,
                    "\(api)/androidpublisher/v3/applications/\(app)\(call.target)",
                    headers: headers,
                    body: call.body.map { Data($0.bytes) } ?? (call.method == "POST" ? Data() : nil),
                    timeout: timeout,
                    asker: packageName
                )
            )
        } catch {
            throw GoogleCallFailure(StoreFailure(refusal: nil, else: error))
        }
    }

    /// A page of a proxy must not pass for a success that has no body.
    private static func body(of response: StoreResponse, to call: GoogleCall) throws(GoogleCallFailure) -> JSON {
        if !call.answersWithBody, response.body.allSatisfy({ $0 == 0x0A || $0 == 0x0D || $0 == 0x20 }) { return .null }
        do throws(GatewayError) {
            let json = try JSON(parsing: Array(response.body))
            guard case .object(let members) = json, call.answersWithBody || members.isEmpty else {
                throw GatewayError(.malformed, "The answer is not what Google answers to this.")
            }
            return json
        } catch {
            let words = response.strayWords.map { " (\($0))" } ?? ""
            throw GoogleCallFailure(
                StoreFailure(
                    unreadable: GatewayError(
                        .malformed,
                        "The Google Play Developer API answered \(response.status) with what cannot be read\(words).",
                        underlying: error
                    )
                )
            )
        }
    }
}

/// An answer of Google's, and when it was asked for: what it says was true then. A question that had to be asked again was asked then.
struct GoogleAnswer<Content: Sendable>: Sendable {
    var content: Content
    var askedAt: Date
}
