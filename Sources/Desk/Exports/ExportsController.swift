import Billing
import HTTP
package import Hummingbird
import NIOCore
import Operations
import Storage

/// Lists as files, streamed as the database gives them.
package struct ExportsController: Sendable {
    let desk: ExportDesk

    private var database: Database { desk.backOffice.database }

    /// `GET /dashboard/exports/orders`
    @Sendable package func orders(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(OrderFilter.self).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        return try await stream(list, of: "orders", filter.queryText(withPosition: false), call)
    }

    /// `GET /dashboard/exports/customers`
    @Sendable package func customers(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(CustomerFilter.self).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, zone: call.zone, seesPersonalData: call.seesPersonalData)
        }
        return try await stream(list, of: "customers", filter.queryText(withPosition: false), call)
    }

    /// `GET /dashboard/exports/subscriptions`
    @Sendable package func subscriptions(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(SubscriptionFilter.self).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        return try await stream(list, of: "subscriptions", filter.queryText(withPosition: false), call)
    }

    /// `GET /dashboard/exports/refunds`
    @Sendable package func refunds(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(RefundFilter.self).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, seesPersonalData: call.seesPersonalData)
        }
        return try await stream(list, of: "refunds", filter.queryText(withPosition: false), call)
    }

    /// `GET /dashboard/exports/ledger`
    @Sendable package func ledger(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(LedgerFilter.self).firstPage
        let list = try await database.read {
            $0.screens.export(filter, app: call.app.id, zone: call.zone, seesPersonalData: call.seesPersonalData)
        }
        return try await stream(list, of: "ledger", filter.query, call)
    }

    /// `GET /dashboard/exports/access-changes`
    @Sendable package func accessChanges(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(SpanFilter.self)
        let list = try await database.read {
            $0.screens.exportAccess(
                filter,
                app: call.app.id,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData
            )
        }
        return try await stream(list, of: "access-changes", filter.query, call)
    }

    /// `GET /dashboard/exports/monthly-revenue`
    @Sendable package func monthlyRevenue(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(SpanFilter.self)
        let list = try await database.read {
            $0.screens.exportMonthlyRevenue(
                filter,
                app: call.app.id,
                today: BusinessDay($0.now, in: call.zone),
                seesPersonalData: call.seesPersonalData
            )
        }
        return try await stream(list, of: "monthly-revenue", filter.query, call)
    }

    /// `GET /dashboard/exports/subscribers`
    @Sendable package func subscribers(_ call: StaffRequest) async throws -> Response {
        let filter = try call.readingWhole(SubscriberRowsFilter.self).firstPage
        let reporting = try await desk.backOffice.apps.reportingCurrency(of: call.app.id)
        let list = try await database.read {
            try await $0.screens.export(
                filter,
                in: filter.metrics.currency ?? reporting,
                app: call.app.id,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData
            )
        }
        return try await stream(list, of: "subscribers", filter.query, call)
    }

    /// `GET /dashboard/exports/cohorts`
    @Sendable package func cohorts(_ call: StaffRequest) async throws -> Response {
        let today = BusinessDay(database.now, in: call.zone)
        let filter = try call.readingWhole { query throws(InvalidCursor) in try CohortRowsFilter(&query, today: today) }
            .firstPage
        let reporting = try await desk.backOffice.apps.reportingCurrency(of: call.app.id)
        let list = try await database.read {
            $0.screens.export(
                filter,
                in: filter.metrics.currency ?? reporting,
                app: call.app.id,
                zone: call.zone,
                seesPersonalData: call.seesPersonalData
            )
        }
        return try await stream(list, of: "cohorts", filter.query, call)
    }

    private func stream(
        _ list: ListExport,
        of name: String,
        _ filter: QueryText,
        _ call: StaffRequest
    ) async throws -> Response {
        let zone = call.viewer.zone
        return try await call.export(name, filter, of: call.app.id, at: desk) { [database] send in
            try await database.export(list, offset: { zone.offset(at: $0) }) { piece, rows in
                try await send(ByteBuffer(bytes: piece), rows)
            }
        }
    }
}
