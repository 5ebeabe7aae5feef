package import Billing
package import Foundation

extension GoogleGateway {
    /// Asks about an order that does not exist, and for the keys that pushes are signed with.
    package func probe(_ account: StoreAccount, at now: Date) async -> [StoreFinding] {
        let configuration: GoogleConfiguration
        do {
            configuration = try GoogleConfiguration(account)
        } catch {
            return [StoreFinding("cannot work as it is set", problem: error.message)]
        }
        return [await probeAPI(account, configuration), await probePushes(configuration, at: now)]
    }

    private func probeAPI(_ account: StoreAccount, _ configuration: GoogleConfiguration) async -> StoreFinding {
        let known: GoogleClient?
        do {
            known = try client(of: account)
        } catch {
            return StoreFinding("cannot be asked", problem: error.message)
        }
        guard let client = known else {
            return StoreFinding(
                "cannot be asked",
                problem: "it has no service account: upload its file on the page Stores (docs/stores/google.md)"
            )
        }
        do throws(GoogleCallFailure) {
            _ = try await client.order(Self.noOrder)
        } catch {
            // That Google knows no such order is an answer: key, clock, package and rights are right.
            guard error.failure.refusal == nil else {
                return StoreFinding("answers about orders of \(configuration.packageName)")
            }
            return StoreFinding("cannot be asked about orders", problem: error.failure.message)
        }
        return StoreFinding("answers about orders of \(configuration.packageName)")
    }

    /// In the form of Google's numbers.
    private static let noOrder = "GPA.0000-0000-0000-00000"

    private func probePushes(_ configuration: GoogleConfiguration, at now: Date) async -> StoreFinding {
        guard let push = configuration.push else {
            return StoreFinding(
                "believes no push",
                problem: "push.audience and push.account are not set in its catalogue (docs/stores/google.md, Topic)"
            )
        }
        do throws(JWTError) {
            try await keys(at: push.certificates).renew(at: now)
            return StoreFinding("believes pushes of \(push.account) for \(push.audience)")
        } catch {
            return StoreFinding("cannot judge pushes", problem: "\(error.message) (\(push.certificates))")
        }
    }
}
