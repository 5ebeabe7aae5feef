import Billing
import Foundation

/// The connection to one provider: sends requests, reads bounded answers, and repeats a request where that is safe.
struct ProviderConnection: Sendable {
    /// In messages: "WeChat".
    let name: StaticString
    let transport: any StoreTransport
    let policy: SignInPolicy
    let clock: AppleServerClock

    /// Answers of a sign-in have some hundred bytes.
    static let longestAnswer = 64 << 10

    /// - Parameters:
    ///   - isRepeatable: true if repeating the request has no further effect.
    ///   - request: made anew for each attempt, so that each has its own time and signature.
    ///   - read: reads an answer with HTTP 200.
    func ask<Content: Sendable>(
        isRepeatable: Bool,
        at now: Date,
        request: () throws(SignInError) -> StoreRequest,
        read: ([UInt8]) throws(SignInFailure) -> Content
    ) async throws(SignInError) -> Content {
        var attempts = SignInAttempts(isRepeatable: isRepeatable, policy: policy)
        while true {
            var request = try request()
            request.timeout = policy.timeout
            request.longestAnswer = Self.longestAnswer
            do throws(SignInFailure) {
                return try read(try await answer(to: request, at: now))
            } catch {
                guard let pause = attempts.next(after: error, jitter: clock.jitter()) else { throw error.error }
                do {
                    try await clock.sleep(pause)
                } catch {
                    throw SignInError(.unavailable, "\(name) was not asked to the end.", underlying: error)
                }
            }
        }
    }

    private func answer(to request: StoreRequest, at now: Date) async throws(SignInFailure) -> [UInt8] {
        let response: StoreResponse
        do {
            response = try await transport.send(request)
        } catch {
            let outcome: SignInFailure.Outcome = error.code == .unreachable ? .unknown : .final
            let code: SignInError.Code = error.code == .misconfigured ? .misconfigured : .unavailable
            throw SignInFailure(SignInError(code, "\(name): \(error.message)", underlying: error), outcome)
        }
        guard response.status != 200 else { return Array(response.body) }
        let isBusy = response.status == 429 || response.status == 503
        throw SignInFailure(
            SignInError(
                .unavailable,
                "\(name) could not answer (HTTP \(response.status)).",
                retryAfter: response.retryAfter(at: now)
            ),
            isBusy ? .busy : response.status >= 500 ? .unknown : .final
        )
    }

    func unreadable(_ cause: any Error) -> SignInFailure {
        SignInFailure(SignInError(.unavailable, "\(name)'s answer cannot be read.", underlying: cause))
    }
}

/// Reads what a provider says about a person, within bounds.
enum ProviderText {
    /// The id of a person: printable ASCII without spaces, as all providers have it.
    static func subject(_ text: String?) -> String? {
        guard let text, (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        return text
    }

    /// A name that people gave themselves: cut at 100 characters, without control characters; nil where those take more than 1,000 bytes.
    static func nickname(_ text: String?) -> String? {
        let plain = (text ?? "").unicodeScalars.filter { $0.properties.generalCategory != .control }
        let name = String(String.UnicodeScalarView(plain)).trimmingCharacters(in: .whitespacesAndNewlines).prefix(100)
        return name.isEmpty || name.utf8.count > 1_000 ? nil : String(name)
    }

    /// An http or https address of at most 2,048 bytes; anything else is dropped, as it ends in pages and apps.
    static func avatar(_ text: String?) -> String? {
        guard let text, text.utf8.count <= 2_048, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let url = URLComponents(string: text), url.scheme == "https" || url.scheme == "http",
            url.host?.isEmpty == false, url.user == nil
        else { return nil }
        return text
    }
}

extension SignInCredential {
    /// The code.
    ///
    /// - Throws: `.invalidCode` where it is missing or malformed.
    func requiredCode() throws(SignInError) -> String {
        guard let text = code?.revealed, !text.isEmpty else {
            throw SignInError(.invalidCode, "The code is missing.", field: "code")
        }
        guard text.utf8.count <= Self.longestText, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw SignInError(.invalidCode, "This is no code that a provider gives out.", field: "code")
        }
        return text
    }
}
