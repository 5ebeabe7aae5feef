import Billing
import Foundation
import HTTP
package import Hummingbird
package import NIOCore
package import Operations
package import Storage

/// The pages about promo codes.
package struct PromoBatchesController: Sendable {
    let backOffice: BackOffice
    let counts: CappedCounts
    let exports: ExportDesk

    private var database: Database { backOffice.database }

    /// `GET /dashboard/promo-codes`
    @Sendable package func index(_ call: StaffRequest) async throws -> Response {
        let (filter, call) = try call.reading(PromoBatchFilter.self)
        let app = call.app.id
        let (list, channels, choices) = try await database.read { reader in
            let screens = reader.screens
            async let channels = screens.promoChannelReports(of: app)
            async let choices = screens.promoChannels(of: app)
            let list = try await screens.promoBatches(filter, app: app, counts: counts)
            return (list, try await channels, try await choices)
        }
        if list.startsOver { return call.startOver(at: filter.firstPage.path) }
        return .page(
            PromoBatchIndexPage(
                list: list,
                channels: channels,
                choices: choices,
                filter: filter,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/promo-codes/{id}`
    @Sendable package func show(_ call: StaffRequest) async throws -> Response {
        guard let id = PromoBatch.ID(try call.parameter("id")) else { throw Self.missing }
        let (filter, call) = try call.readingQuery(beside: ["from"]) { query throws(InvalidCursor) in
            try PromoRedemptionFilter(of: id, &query)
        }
        let batch = try await batch(call)
        let (report, days, list) = try await database.read { reader in
            let screens = reader.screens
            async let report = screens.promoReport(of: id)
            async let days = screens.promoDays(of: id, zone: call.zone)
            let list = call.seesPersonalData ? try await screens.promoRedemptions(filter, seesPersonalData: true) : nil
            return (try await report, try await days, list)
        }
        if let list, list.startsOver { return call.startOver(at: filter.firstPage.path(from: call.from)) }
        return .page(
            PromoBatchShowPage(
                batch,
                report: report,
                days: days,
                redemptions: list,
                filter: filter,
                from: call.from,
                viewer: call.viewer,
                now: database.now
            )
        )
    }

    /// `GET /dashboard/promo-codes/new`: the form, and once it is filled the question whether to make it.
    @Sendable package func new(_ call: StaffRequest) async throws -> Response {
        let call = call.taking(PromoBatchForm.names)
        let form = PromoBatchForm(call.query)
        guard form.isFilled else { return .page(try await page(form, call)) }
        do {
            let wanted = try form.checked(zone: call.zone, now: database.now)
            let plan = try await backOffice.promoPlan(wanted.plan, of: call.app.id)
            return .page(
                ActionPage(making: wanted, of: plan, form, once: newKey, viewer: call.viewer, now: database.now)
            )
        } catch let error as OperationsError where error.code == .invalid {
            return .page(try await page(form, call, error), status: .unprocessableContent)
        }
    }

    /// `POST /dashboard/promo-codes`
    @Sendable package func create(_ call: StaffRequest) async throws -> Response {
        let form = PromoBatchForm(call.form)
        do {
            let outcome = try await backOffice.makePromoBatch(
                try form.checked(zone: call.zone, now: database.now),
                of: call.app.id,
                key: try call.key(for: form.text),
                caller: call.caller
            )
            guard let id = PromoBatch.ID(outcome.result) else { throw Self.missing }
            return call.done(outcome, see: DashboardPath.promoBatch(id))
        } catch let error as OperationsError where error.code == .invalid {
            return .page(try await page(form, call, error), status: .unprocessableContent)
        }
    }

    /// `GET /dashboard/promo-codes/{id}/codes.csv`: every code, and how often it was redeemed.
    @Sendable package func codes(_ call: StaffRequest) async throws -> Response {
        let batch = try await batch(call)
        let (backOffice, app, caller) = (backOffice, call.app.id, call.caller)
        let name = ExportName.file(of: "promo-codes", filter: batch.name, at: database.now)
        let file = ExportedFile(list: "promo-codes", name: name) { rows, isComplete in
            try await backOffice.recordExport(
                of: batch.id,
                rows: rows,
                isComplete: isComplete,
                app: app,
                caller: caller
            )
        }
        return try await call.export(file, at: exports) { send in
            var piece = PromoCSV.heading
            var (number, sent) = (0, 0)
            repeat {
                let codes = try await backOffice.promoCodes(of: batch.id, after: number, limit: 1_000)
                sent += codes.count  // safe: at most 100,000
                var lines = PromoCSV.lines(codes, of: batch)
                piece.writeBuffer(&lines)
                try await send(piece, sent)
                piece.clear()
                guard let last = codes.last else { break }
                number = last.number
            } while true
        }
    }

    /// `GET /dashboard/promo-codes/{id}/stop`, `/resume`: the question whether to.
    package func ask(_ change: PromoBatchChange) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let call = call.taking()
            let batch = try await batch(call)
            return .page(ActionPage(change, of: batch, once: newKey, viewer: call.viewer, now: database.now))
        }
    }

    /// `POST /dashboard/promo-codes/{id}/stop`, `/resume`
    package func act(_ change: PromoBatchChange) -> @Sendable (StaffRequest) async throws -> Response {
        { call in
            let batch = try await batch(call)
            do {
                let reason = try call.reason()
                let key = try call.key(for: reason.forAudit)
                let (app, caller) = (call.app.id, call.caller)
                let outcome =
                    switch change {
                    case .stop:
                        try await backOffice.stopPromoBatch(batch.id, of: app, reason: reason, key: key, caller: caller)
                    case .resume:
                        try await backOffice.resumePromoBatch(
                            batch.id,
                            of: app,
                            reason: reason,
                            key: key,
                            caller: caller
                        )
                    }
                return call.done(outcome, see: DashboardPath.promoBatch(batch.id))
            } catch let error as OperationsError where [.invalid, .conflict].contains(error.code) {
                let page = ActionPage(
                    change,
                    of: batch,
                    once: newKey,
                    typed: call.form.typed,
                    error: error,
                    viewer: call.viewer,
                    now: database.now
                )
                return .page(page, status: error.code == .invalid ? .unprocessableContent : .conflict)
            }
        }
    }

    private func page(
        _ form: PromoBatchForm,
        _ call: StaffRequest,
        _ error: OperationsError? = nil
    ) async throws -> ActionPage {
        let settings = try await database.readPrimary {
            try await $0.entitlementSources.settings(of: call.app.id)
        }
        return ActionPage(
            newPromoBatch: form,
            plans: settings?.plans ?? [],
            error: error,
            viewer: call.viewer,
            now: database.now
        )
    }

    /// A batch of the chosen app; one of another is not there.
    private func batch(_ call: StaffRequest) async throws -> PromoBatch {
        guard let id = PromoBatch.ID(try call.parameter("id")),
            let batch = try await database.readPrimary({ try await $0.screens.promoBatch(id, of: call.app.id) })
        else { throw Self.missing }
        return batch
    }

    /// A form's one-time key.
    private var newKey: String { database.newUUID().uuidString.lowercased() }

    private static var missing: WebError { WebError(.notFound, "There is no such batch of promo codes.") }
}

/// A batch's codes as a file.
package enum PromoCSV {
    package static var heading: ByteBuffer {
        var text = CSVText()
        text.heading(["number", "code", "redeemed", "uses", "batch", "channel"])
        return ByteBuffer(bytes: CSVText.byteOrderMark + text.bytes)
    }

    package static func lines(_ codes: [PrintedPromoCode], of batch: PromoBatch) -> ByteBuffer {
        var text = CSVText()
        for code in codes {
            text.row([
                .plain(String(code.number)), .text(code.code.grouped), .plain(String(code.uses)),
                .plain(String(batch.terms.usesPerCode)), .text(batch.name), .text(batch.channel),
            ])
        }
        return ByteBuffer(bytes: text.bytes)
    }
}
