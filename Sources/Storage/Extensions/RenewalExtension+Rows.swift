import Billing
import Foundation
import Postgres

extension RenewalExtension {
    /// The columns that `init(row:)` reads; conditions follow.
    static var selection: Query {
        """
        SELECT x.id, x.app_id, x.store, x.environment, x.request_identifier, x.subscription_id, s.original_transaction_id,
            x.store_product_id, array_to_string(x.storefronts, ' '), x.days, x.reason_code, x.reason, x.requested_by,
            x.requested_as, x.requested_at, x.state, x.renews_at, x.succeeded_count, x.failed_count, x.error_code, x.error,
            x.finished_at, \(UnansweredQuestion.columns(of: .extensionRequest, about: "x.id"))
        FROM renewal_extensions x
        LEFT JOIN subscriptions s ON s.id = x.subscription_id
        """
    }

    init(row: Row) throws {
        var columns = try row.columns(24)
        self.init(
            id: try columns.next(),
            app: try columns.next(),
            store: try columns.next(),
            environment: try columns.next(),
            requestIdentifier: try columns.next(),
            target: try Target(&columns),
            request: try Request(&columns),
            state: try State(&columns)
        )
        let (since, words): (Date?, String?) = (try columns.next(), try columns.next())
        unanswered = UnansweredQuestion(since: since, words: words)
    }
}

extension RenewalExtension.Target {
    fileprivate init(_ columns: inout RowColumns) throws {
        let (subscription, original): (Subscription.ID?, String?) = (try columns.next(), try columns.next())
        let (product, storefronts): (String?, String?) = (try columns.next(), try columns.next())
        if let subscription, let original {
            self = .subscription(subscription, originalTransactionID: original)
        } else if let product {
            let countries = storefronts.map { $0.split(separator: " ").map(String.init) }
            self = .product(storeProductID: product, storefronts: countries)
        } else {
            throw PostgresError(.decoding, "an extension is of nothing")
        }
    }
}

extension RenewalExtension.Request {
    /// nil where nobody here requested it.
    fileprivate init?(_ columns: inout RowColumns) throws {
        let (days, code): (Int16?, Int16?) = (try columns.next(), try columns.next())
        let (reason, staff): (Personal<String>?, Staff.ID?) = (try columns.next(), try columns.next())
        let (actor, date): (String?, Date?) = (try columns.next(), try columns.next())
        guard let days, let code, let actor, let date else { return nil }
        self.init(
            days: Int(days),  // safe: from 16 bits
            reasonCode: ExtensionReason(rawValue: Int64(code)) ?? .undeclared,
            act: RefundRequest.Act(staff: staff, actor: actor, at: date, reason: reason)
        )
    }
}

extension RenewalExtension.State {
    fileprivate init(_ columns: inout RowColumns) throws {
        let word: String = try columns.next()
        let result = RenewalExtension.Result(
            renewsAt: try columns.next(),
            succeeded: try columns.next(),
            failed: try columns.next()
        )
        let (code, message): (Int64?, String?) = (try columns.next(), try columns.next())
        let finishedAt: Date? = try columns.next()
        switch (word, finishedAt) {
        case ("sending", _): self = .sending
        case ("running", _): self = .running
        case ("succeeded", let date?): self = .succeeded(at: date, result)
        case ("refused", let date?): self = .refused(at: date, code: code, message: message ?? "")
        case _: throw PostgresError(.decoding, "an extension is \(word)")
        }
    }
}
