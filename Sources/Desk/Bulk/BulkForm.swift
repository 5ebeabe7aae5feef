import Billing
package import Foundation
package import HTTP
package import Operations
package import Storage

/// An action on a bulk job. The raw value is the resource of its path.
package enum BulkAction: String, CaseIterable, Sendable {
    case starts
    case approvals
    case cancellations
    case undoings
}

/// The typed fields of the form for a new job.
package struct BulkForm: Sendable {
    package var kind: String
    package var plan: String
    package var days: String
    package var lines: String
    package var file: String
    /// The key of a saved view.
    package var view: String
    package var fileName: String?
    package var category: String?
    package var reason: String?

    /// The fields that an address may fill in.
    package static let names = ["kind", "plan", "days", "lines", "view", "category", "reason"]

    package init(_ fields: URLEncoded) throws(WebError) {
        kind = try fields.single("kind") ?? "grant"
        plan = try fields.single("plan") ?? ""
        days = (try fields.single("days") ?? "").filter { !$0.isWhitespace }
        lines = try fields.single("lines") ?? ""
        file = try fields.single("file") ?? ""
        view = try fields.single("view") ?? ""
        fileName = try fields.single("file.filename").flatMap { $0.isEmpty ? nil : String($0.prefix(200)) }
        category = try fields.single("category")
        reason = try fields.single("reason")
    }

    /// - Parameters:
    ///   - taken: the view that was chosen.
    ///   - problems: gathers everything that is wrong with it.
    /// - Returns: nil where the problems say why.
    package func request(
        zone: TimeZone,
        from taken: SavedView?,
        _ settings: SupportPolicy,
        at now: Date,
        _ problems: inout FieldProblems
    ) throws -> BulkRequest? {
        if !view.isEmpty, taken == nil { problems.add(FieldProblem("view", .unknownChoice)) }
        if taken != nil, !lines.allSatisfy(\.isWhitespace) || !file.isEmpty {
            problems.add(FieldProblem("view", .onlyOne))
        }
        guard let kind = BulkJob.Kind(rawValue: kind) else {
            problems.add(FieldProblem("kind", .unknownChoice))
            return nil
        }
        let takesDays = kind == .grant || kind == .extend
        if takesDays, !days.isEmpty, Int(days) == nil { problems.add(FieldProblem("days", .notANumber)) }
        let list = taken == nil ? BulkLines(file.isEmpty ? lines : file) : nil
        if let problem = list?.problem { problems.add(FieldProblem("lines", problem)) }
        let request = try request(kind, zone: zone, from: taken, list?.customers ?? [])
        for problem in request.problems(settings, at: now) where view.isEmpty || problem.field != "lines" {
            problems.add(problem)
        }
        return request
    }

    private func request(
        _ kind: BulkJob.Kind,
        zone: TimeZone,
        from taken: SavedView?,
        _ lines: [String]
    ) throws -> BulkRequest {
        let takesDays = kind == .grant || kind == .extend
        return BulkRequest(
            kind: kind,
            plan: plan.isEmpty ? nil : plan,
            days: takesDays ? Int(days) : nil,
            lines: lines,
            list: try taken?.bulkList(zone: zone),
            origin: taken?.name ?? (file.isEmpty ? nil : fileName)
        )
    }
}

extension SavedView {
    /// nil for a view of a list that is not of customers.
    fileprivate func bulkList(zone: TimeZone) throws -> BulkList? {
        let pairs = try URLEncoded(query.dropFirst()).pairs
        return switch list {
        case .customers: .customers(try CustomerFilter(query: pairs), zone: zone)
        case .subscriptions: .subscriptions(try SubscriptionFilter(query: pairs))
        case .orders, .refunds, .notifications, .audit: nil
        }
    }
}
