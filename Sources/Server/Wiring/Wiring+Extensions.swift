import Billing
import Foundation
import Jobs
import Operations
import Storage

/// The arguments of `perennial apple extend`, as they were typed.
package struct RenewalsToExtend: Sendable {
    var app: String
    var subscription: String?
    var product: String?
    var storefronts: [String]
    var days: String
    var reasonCode: String
    var reason: String
    var isSandbox: Bool

    package init(
        app: String,
        subscription: String?,
        product: String?,
        storefronts: [String],
        days: String,
        reasonCode: String,
        reason: String,
        isSandbox: Bool
    ) {
        self.app = app
        self.subscription = subscription
        self.product = product
        self.storefronts = storefronts
        self.days = days
        self.reasonCode = reasonCode
        self.reason = reason
        self.isSandbox = isSandbox
    }
}

extension Wiring {
    /// Asks Apple to put renewals off, and says what it answered.
    ///
    /// - Throws: `OperationsError` for what was typed, and for an app, subscription or product that there is not.
    package func extendRenewals(_ wanted: RenewalsToExtend) async throws -> Finding {
        let terms = try ExtensionTerms(days: wanted.days, reasonCode: wanted.reasonCode)
        let reason = try Reason(category: Reason.Category.other.rawValue, text: wanted.reason)
        let environment: StoreEnvironment = wanted.isSandbox ? .sandbox : .production
        return try await withWorker { backOffice, _ in
            let app = try await self.app(wanted.app, backOffice)
            let outcome: ActionOutcome
            if let subscription = wanted.subscription {
                outcome = try await backOffice.extendRenewal(
                    of: subscription,
                    at: .apple,
                    in: environment,
                    app: app,
                    terms,
                    reason: reason,
                    caller: .systemUser
                )
            } else {
                outcome = try await backOffice.extendRenewals(
                    ofProduct: wanted.product ?? "",
                    at: .apple,
                    in: environment,
                    storefronts: wanted.storefronts,
                    app: app,
                    terms,
                    reason: reason,
                    key: nil,
                    caller: .systemUser
                )
            }
            // This kind of job alone: the rest is for a server.
            let handlers = backOffice.jobHandlers.filter { $0.key == .extensionRequest }
            _ = try await JobWorker(backOffice: backOffice, handlers: handlers).drain()
            guard let id = RenewalExtension.ID(outcome.result) else { return .well(outcome.result) }
            let row = try await backOffice.database.readPrimary { try await $0.screens.renewalExtension(id, of: app) }
            return Finding(row, asked: outcome.result)
        }
    }
}

extension Finding {
    fileprivate init(_ row: RenewalExtension?, asked id: String) {
        switch row?.state {
        case .succeeded(_, let result):
            let renews = result.renewsAt.map { "renews \($0.formatted(.iso8601)) now" }
            let counts = result.succeeded.map { "\($0) extended, \(result.failed ?? 0) not" }
            self = .well("\(row?.target.name ?? id): \(renews ?? counts ?? "extended")")
        case .running: self = .well("\(row?.target.name ?? id): Apple is at it (\(id))")
        case .refused(_, _, let message): self = .ill("\(row?.target.name ?? id) was not extended", mend: message)
        case .sending, nil:
            self = .ill("\(row?.target.name ?? id) is not extended yet", mend: "a server goes on trying (\(id))")
        }
    }
}
