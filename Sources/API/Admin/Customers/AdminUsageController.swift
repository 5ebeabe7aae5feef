import APITypes
import Billing
import Foundation
package import HTTP
package import Hummingbird
import Operations
import Storage

/// The usage and the limits of customers, and what staff change of them, as JSON for programs.
package struct AdminUsageController: Sendable {
    let backOffice: BackOffice

    package static let report = APIOperation(
        "showCustomerUsage",
        .customers,
        "What a customer has used, and may use",
        "The figures that the customer's app is told.",
        path: .id("id", "The customer's id."),
        answer: .ok(CustomerUsageReport.self, "Every feature, window by window.")
    )

    /// `GET /admin/customers/{id}/usage`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        .json(try await report(of: try call.customer("id"), call))
    }

    /// `POST /admin/customers/{id}/usage/raise-limit`, `…/restore-limit`, `…/reset`
    package func step(_ action: UsageAction) -> @Sendable (APIRequest) async throws -> Response {
        { call in
            let customer = try call.customer("id")
            _ = try await report(of: customer, call)
            let sent = try await call.body(UsageActionRequest.self)
            let auditEntry: UUID
            do {
                let (target, command, reason) = try sent.value.command(action)
                auditEntry = try await backOffice.change(
                    target.feature,
                    target.window,
                    command,
                    of: customer,
                    app: call.app,
                    reason: reason,
                    key: try call.key(for: sent.text),
                    caller: call.caller
                ).auditEntry
            } catch let error as OperationsError {
                throw error.forPrograms()
            }
            return .json(UsageChange(auditEntryId: auditEntry, usage: try await report(of: customer, call)))
        }
    }

    private func report(of customer: Customer.ID, _ call: APIRequest) async throws -> CustomerUsageReport {
        guard let meters = try await backOffice.meters(of: customer, app: call.app) else { throw APIRequest.noCustomer }
        return CustomerUsageReport(meters)
    }
}

extension UsageAction {
    package var operation: APIOperation {
        let customer = APIParameter.id("id", "The customer's id.")
        return switch self {
        case .raises:
            APIOperation(
                "raiseUsageLimit",
                .customers,
                "Lets a customer use more than their plan's limit",
                """
                So many more in each window, on top of whichever plan the customer has; it takes the place of an earlier increase of \
                the limit. Support raises within its limit of days.
                """,
                path: customer,
                body: UsageActionRequest.raise,
                answer: .ok(UsageChange.self, "The limit is raised.")
            )
        case .restorations:
            APIOperation(
                "restoreUsageLimit",
                .customers,
                "Takes back an increase of a customer's limit",
                path: customer,
                body: UsageActionRequest.body,
                answer: .ok(UsageChange.self, "The plan's limit holds again.")
            )
        case .resets:
            APIOperation(
                "resetUsage",
                .customers,
                "Begins the current window of a limit anew",
                """
                With the shorter windows in it; what is reserved stays counted. What was counted by day stays in the history. A lifetime \
                is reset by admins.
                """,
                path: customer,
                body: UsageActionRequest.body,
                answer: .ok(UsageChange.self, "The window has begun anew.")
            )
        }
    }

    /// The end of its address.
    package var step: String {
        switch self {
        case .raises: "raise-limit"
        case .restorations: "restore-limit"
        case .resets: "reset"
        }
    }
}

extension UsageActionRequest {
    /// The change, and its reason.
    ///
    /// - Throws: `OperationsError` with `.invalid` and everything that is wrong with its fields.
    fileprivate func command(_ action: UsageAction) throws -> (UsageTarget, UsageCommand, Reason) {
        var problems = FieldProblems()
        let feature = try problems.read { try self.feature.required("feature") }
        let window = try problems.read { () throws -> UsageWindow in
            let name = try self.window.required("window")
            guard let window = UsageWindow(rawValue: name) else {
                throw OperationsError(problems: [FieldProblem("window", .unknownChoice)])
            }
            return window
        }
        let command = try problems.read { try wish(action) }
        let reason = try problems.read { try Reason(category: category, text: self.reason) }
        guard let feature, let window, let command, let reason else { throw problems.error }
        return (UsageTarget(feature: feature, window: window), command, reason)
    }

    private func wish(_ action: UsageAction) throws(OperationsError) -> UsageCommand {
        switch action {
        case .restorations: return .restore
        case .resets: return .reset
        case .raises:
            guard let amount else { throw OperationsError(problems: [FieldProblem("amount", .missing)]) }
            guard let until else { return .raise(by: amount, until: nil) }
            guard let end = TimeText.date(rfc3339: until) else {
                throw OperationsError(problems: [FieldProblem("until", .notADate)])
            }
            return .raise(by: amount, until: end)
        }
    }
}

extension CustomerUsageReport {
    fileprivate init(_ meters: CustomerMeters) {
        self.init(
            planType: meters.plan,
            features: meters.features.map { meter in
                Feature(
                    feature: meter.feature.feature.code,
                    name: meter.feature.name,
                    included: meter.isIncluded,
                    windows: meter.windows.map(Window.init),
                    credits: meter.credits.map { LeftCredits($0, at: meters.readAt, meters.orderNumbers) }
                )
            },
            serverTime: meters.readAt
        )
    }
}

extension CustomerUsageReport.Window {
    fileprivate init(_ meter: WindowMeter) {
        self.init(
            window: meter.usage.window.rawValue,
            used: meter.usage.used,
            limit: meter.usage.limit,
            remaining: meter.usage.remaining,
            resetsAt: meter.usage.resetsAt,
            increase: meter.increase?.amount,
            increaseUntil: meter.increase?.until,
            reserved: meter.reserved,
            offline: meter.offline
        )
    }
}
