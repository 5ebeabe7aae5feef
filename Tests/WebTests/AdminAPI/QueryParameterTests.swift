import APITypes
import Billing
import Foundation
import HTTPTypes
import NIOFoundationCompat
import Operations
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

@Suite("The admin API's parameters")
struct QueryParameterTests {
    @Test("a value that is none of the known ones is refused everywhere, and the known ones are named")
    func words() async throws {
        try await Self.run { questions, programs in
            let asked = questions.filter { !$0.words.isEmpty }
            #expect(asked.count > 40)
            for question in asked {
                // A word in another case is another word.
                for value in ["nonsense", question.words[0].lowercased(), question.words[0].uppercased()] {
                    guard !question.words.contains(value) else { continue }
                    let error = try await Self.refusal(of: question, value, programs)
                    #expect(error.reason == "\(question.name) is one of \(question.words.joined(separator: ", ")).")
                }
            }
        }
    }

    @Test("a number outside of its range is refused everywhere, and the range is named")
    func ranges() async throws {
        try await Self.run { questions, programs in
            let asked = questions.filter { $0.range != nil }
            #expect(asked.map(\.name).sorted() == ["endsWithin", "limit", "renewsWithin"])
            for question in asked {
                let range = try #require(question.range)
                for value in ["\(range.lowerBound - 1)", "\(range.upperBound + 1)", "many", "", "99999999999999999999"]
                {
                    let error = try await Self.refusal(of: question, value, programs)
                    #expect(
                        error.reason == "\(question.name) is a number from \(range.lowerBound) to \(range.upperBound)."
                    )
                }
            }
        }
    }

    @Test("every other value that cannot be read is refused with what it is to be")
    func others() async throws {
        try await Self.run { questions, programs in
            let wrong = [
                "customer": "me", "from": "2026-99-99", "to": "never", "asOf": "then", "period": "P9Z",
                "country": "china",
                "currency": "shells", "in": "shells", "plan": "", "product": "", "planType": "", "after": "x",
            ]
            let asked = questions.filter { wrong[$0.name] != nil && $0.words.isEmpty }
            #expect(Set(asked.map(\.name)) == Set(wrong.keys))
            for question in asked {
                let error = try await Self.refusal(of: question, wrong[question.name] ?? "", programs)
                #expect(error.reason.contains(question.name) || question.name == "after", "\(error)")
            }
        }
    }

    @Test("a parameter that an operation does not take is refused by all of them, and those that it takes are named")
    func unknown() async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            let token = try await site.token(of: .admin).text
            try await site.app.test(.router) { client async throws in
                let programs = Programs(tokens: [.admin: token], client: client)
                let key = try await Self.key(site)
                for route in site.map.operations {
                    let path = "\(Self.path(route.path))?colour=red&page=2&colour=blue"
                    let sent: String
                    switch route.access {
                    case .customer, .open: sent = try await Self.customerToken(site)
                    case .appServer: sent = key
                    case .store, .operatorOnly, .signedIn, .staff, .token: sent = token
                    }
                    let answer = try await programs.send(sent, route.method, path, nil, "k")
                    #expect(answer.status == .unprocessableContent, "\(route.method) \(route.path)")
                    let problem = try Programs.decode(Problem.self, answer)
                    try #require(problem.errors.map(\.field) == ["colour", "page"])
                    let known = ["app"] + route.operation.query.map(\.name)
                    #expect(
                        problem.errors[0].reason
                            == "There is no parameter colour here, but \(known.joined(separator: ", "))."
                    )
                }
            }
        }
    }

    /// Returns a new token each time: one call ends its session.
    private static func customerToken(_ site: TestSite) async throws -> String {
        try await site.backOffice.mintToken(
            for: CustomerIdentity(externalID: "u1", isAnonymous: false),
            of: TestSite.readmigoID,
            caller: .commandLine
        ).accessToken.revealed
    }

    private static func key(_ site: TestSite) async throws -> String {
        let issued = try await site.backOffice.issueAppKey(
            named: "server",
            scopes: Set(AppKeyScope.allCases),
            of: TestSite.readmigoID,
            caller: .commandLine
        )
        return try #require(issued).text.revealed
    }

    /// A parameter of an operation that reads.
    private struct Question: Sendable {
        let path: String
        let name: String
        /// The values that it can have; empty where they are not a few words.
        let words: [String]
        let range: ClosedRange<Int>?
    }

    private static func run(
        _ body: @escaping @Sendable ([Question], Programs) async throws -> Void
    ) async throws {
        try await TestSite.run { site in
            try await site.addStaff(.admin)
            try await site.addOrders(1)
            try await site.addPromoBatch()
            let token = try await site.token(of: .admin).text
            let questions = try questions(of: site)
            try await site.app.test(.router) { client async throws in
                try await body(questions, Programs(tokens: [.admin: token], client: client))
            }
        }
    }

    private static func questions(of site: TestSite) throws -> [Question] {
        let body = APIDocument(site.map.operations).body
        let document = try #require(try JSONSerialization.jsonObject(with: Data(buffer: body)) as? [String: Any])
        let paths = try #require(document["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, item -> [Question] in
            let operation = item["get"] as? [String: Any] ?? [:]
            // Calls of customers have tests of their own.
            guard operation["security"] == nil else { return [] }
            return (operation["parameters"] as? [[String: Any]] ?? []).compactMap { parameter in
                guard parameter["in"] as? String == "query", let name = parameter["name"] as? String,
                    let schema = parameter["schema"] as? [String: Any]
                else { return nil }
                let range = (schema["minimum"] as? Int).flatMap { least in
                    (schema["maximum"] as? Int).map { least...$0 }
                }
                let words = schema["type"] as? String == "boolean" ? ["true", "false"] : schema["enum"] as? [String]
                return Question(path: Self.path(path), name: name, words: words ?? [], range: range)
            }
        }
    }

    /// Returns the address with the ids of existing things for its variable parts.
    private static func path(_ path: String) -> String {
        path.replacing("promo-codes/{id}", with: "promo-codes/\(TestSite.promoBatch)")
            .replacing("{queue}", with: "reports").replacing("{number}", with: "RF-000001")
            .replacing("{customer}", with: TestSite.customer).replacing("{id}", with: TestSite.customer).replacing(
                "{note}",
                with: TestSite.customer
            )
    }

    private static func refusal(
        of question: Question,
        _ value: String,
        _ programs: Programs
    ) async throws -> Problem.InputError {
        let answer = try await programs.get("\(question.path)?\(question.name)=\(value)")
        #expect(answer.status == .unprocessableContent, "\(question.path) \(question.name)=\(value): \(answer.text)")
        let problem = try Programs.decode(Problem.self, answer)
        #expect(problem.errors.map(\.field) == [question.name])
        return try #require(problem.errors.first)
    }
}
