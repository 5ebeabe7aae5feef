import APITypes
import Billing
import Foundation
package import HTTP
import HTTPTypes
package import Hummingbird
import Operations
import Storage

/// Answers batches of promo codes as JSON, for programs.
package struct AdminPromoCodesController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts

    private var database: Database { backOffice.database }

    private static let state = QueryParameter<PromoTerms.State>(capitals: "state")
    private static let channel = QueryParameter.name("channel", longest: 50, "Where the codes are handed out.")

    package static let list = APIOperation(
        "listPromoBatches",
        .promoCodes,
        "Batches of promo codes, newest first",
        query: [state, channel, PageParameter()],
        answer: .ok(PromoBatchPage.self, "A page of 25.")
    )

    /// `GET /admin/promo-codes`
    @Sendable package func index(_ call: APIRequest) async throws -> Response {
        let question = ListParameters(call.query)
        let filter = PromoBatchFilter(
            state: try question.value(Self.state),
            channel: try question.value(Self.channel),
            position: try question.position(of: .promoBatchMade)
        )
        let list = try await database.read {
            try await $0.screens.promoBatches(filter, app: call.app, counts: counts)
        }
        let page = PromoBatchPage(
            batches: list.rows.map { PromoBatchItem($0.batch, at: database.now) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let channels = APIOperation(
        "showPromoChannels",
        .promoCodes,
        "What came of the codes of each channel",
        answer: .ok(PromoChannelReport.self, "The channels.")
    )

    /// `GET /admin/promo-codes/channels`
    @Sendable package func channels(_ call: APIRequest) async throws -> Response {
        let found = try await database.read { try await $0.screens.promoChannelReports(of: call.app) }
        let channels = found.map {
            PromoChannelReport.Channel(channel: $0.channel, batches: $0.batches, report: PromoReportItem($0.report))
        }
        return .json(PromoChannelReport(channels: channels))
    }

    package static let one = APIOperation(
        "showPromoBatch",
        .promoCodes,
        "A batch of promo codes, and what came of it",
        path: .id("id", "The batch's id."),
        answer: .ok(PromoBatchDetails.self, "The batch.")
    )

    /// `GET /admin/promo-codes/{id}`
    @Sendable package func show(_ call: APIRequest) async throws -> Response {
        let batch = try await batch(call)
        let (report, days) = try await database.read { reader in
            async let days = reader.screens.promoDays(of: batch.id, zone: call.zone)
            return (try await reader.screens.promoReport(of: batch.id), try await days)
        }
        let details = PromoBatchDetails(
            batch: PromoBatchItem(batch, at: database.now),
            report: PromoReportItem(report),
            days: days.map { PromoBatchDetails.Day(day: $0.day.description, redemptions: $0.redemptions) }
        )
        return .json(details)
    }

    package static let redemptions = APIOperation(
        "listPromoRedemptions",
        .promoCodes,
        "Who redeemed the codes of a batch, newest first",
        path: .id("id", "The batch's id."),
        query: [PageParameter()],
        answer: .ok(PromoRedemptionPage.self, "A page of 25.")
    )

    /// `GET /admin/promo-codes/{id}/redemptions`
    @Sendable package func redemptions(_ call: APIRequest) async throws -> Response {
        let batch = try await batch(call)
        let filter = PromoRedemptionFilter(
            of: batch.id,
            position: try ListParameters(call.query).position(of: .promoRedeemed)
        )
        let list = try await database.read {
            try await $0.screens.promoRedemptions(filter, seesPersonalData: false)
        }
        let page = PromoRedemptionPage(
            redemptions: list.rows.map { PromoRedemptionItem($0) },
            next: list.next(by: filter)?.text
        )
        return .json(page)
    }

    package static let make = APIOperation(
        "makePromoBatch",
        .promoCodes,
        "Makes a batch of promo codes",
        "The codes themselves are a file on the batch's page in the dashboard.",
        body: NewPromoBatchRequest.body,
        answer: .created(PromoBatchItem.self, "The batch.", hasLocation: true)
    )

    /// `POST /admin/promo-codes`
    @Sendable package func create(_ call: APIRequest) async throws -> Response {
        let sent = try await call.body(NewPromoBatchRequest.self)
        do {
            let wanted = try sent.value.checked(zone: call.zone, now: database.now)
            let outcome = try await backOffice.makePromoBatch(
                wanted,
                of: call.app,
                key: try call.key(for: sent.text),
                caller: call.caller
            )
            var response = try await answer(PromoBatch.ID(outcome.result), call, status: .created)
            response.headers[.location] = Paths.promoBatch(outcome.result)
            return response
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
    }

    package static let stop = APIOperation(
        "stopPromoBatch",
        .promoCodes,
        "Stops a batch of promo codes",
        "None of its codes can be redeemed until it is resumed. What was given stays.",
        path: .id("id", "The batch's id."),
        body: PromoBatchChangeRequest.body,
        answer: .ok(PromoBatchItem.self, "The batch.")
    )

    /// `POST /admin/promo-codes/{id}/stop`
    @Sendable package func stop(_ call: APIRequest) async throws -> Response {
        try await change(call) { id, reason, key in
            try await backOffice.stopPromoBatch(id, of: call.app, reason: reason, key: key, caller: call.caller)
        }
    }

    package static let resume = APIOperation(
        "resumePromoBatch",
        .promoCodes,
        "Has a batch of promo codes that was stopped go on",
        path: .id("id", "The batch's id."),
        body: PromoBatchChangeRequest.body,
        answer: .ok(PromoBatchItem.self, "The batch.")
    )

    /// `POST /admin/promo-codes/{id}/resume`
    @Sendable package func resume(_ call: APIRequest) async throws -> Response {
        try await change(call) { id, reason, key in
            try await backOffice.resumePromoBatch(id, of: call.app, reason: reason, key: key, caller: call.caller)
        }
    }

    private func change(
        _ call: APIRequest,
        _ body: (PromoBatch.ID, Reason, IdempotencyKey) async throws -> ActionOutcome
    ) async throws -> Response {
        let id = try await batch(call).id
        let sent = try await call.body(PromoBatchChangeRequest.self)
        do {
            let reason = try Reason(category: sent.value.category, text: sent.value.reason)
            _ = try await body(id, reason, try call.key(for: sent.text))
        } catch let error as OperationsError {
            throw error.forPrograms()
        }
        return try await answer(id, call)
    }

    private func answer(
        _ id: PromoBatch.ID?,
        _ call: APIRequest,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard let id, let batch = try await database.readPrimary({ try await $0.screens.promoBatch(id, of: call.app) })
        else { throw Self.missing }
        return .json(PromoBatchItem(batch, at: database.now), status: status)
    }

    private func batch(_ call: APIRequest) async throws -> PromoBatch {
        guard let id = PromoBatch.ID(try call.parameter("id")),
            let batch = try await database.read({ try await $0.screens.promoBatch(id, of: call.app) })
        else { throw Self.missing }
        return batch
    }

    private static var missing: WebError { WebError(.notFound, "There is no such batch of promo codes.") }
}
