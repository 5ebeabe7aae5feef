import APITypes
import Billing
import Foundation
import HTTPTypes
import NIOFoundationCompat
import Operations
import RouterTesting
import Storage
import Testing

@testable import API
@testable import Desk
@testable import HTTP
@testable import Web
@testable import Words

@Suite("The API's description")
struct APIDocumentTests {
    @Test("every route that takes a token is described, and every route described exists")
    func routes() async throws {
        try await TestSite.run { site in
            let described = try Self.operations(of: site).map { "\($0.method.uppercased()) \($0.path)" }
            let existing = site.map.entries.map { "\($0.method) \($0.path)" }
            let withToken = site.map.entries.filter { entry in
                switch entry.access {
                case .token, .customer, .appServer: true
                case .open, .store, .operatorOnly, .signedIn, .staff: false
                }
            }.map { "\($0.method) \($0.path)" }
            #expect(Set(described).isSuperset(of: withToken))
            #expect(Set(described).isSubset(of: existing))
            #expect(described.count == Set(described).count)
        }
    }

    @Test("every operation has an id of its own, a summary, and says what 401 and 403 mean where they can be")
    func operations() async throws {
        try await TestSite.run { site in
            let operations = try Self.operations(of: site)
            let ids = operations.compactMap { $0.body["operationId"] as? String }
            #expect(Set(ids).count == operations.count)
            for operation in operations {
                #expect(operation.body["summary"] is String, "\(operation.path)")
                let responses = try #require(operation.body["responses"] as? [String: Any])
                let takes = operation.body["security"] as? [[String: Any]]
                let (isOpen, isForCustomers) = (takes?.isEmpty == true, takes?.first?.keys.contains("customerToken"))
                #expect(responses.keys.contains("401") || isOpen, "\(operation.path)")
                // A customer's plan may not include a feature that is counted.
                let isFree = isForCustomers == true && !Self.restricted.contains(operation.path)
                #expect(responses.keys.contains("403") != (isOpen || isFree), "\(operation.path)")
            }
        }
    }

    @Test("every variable part of a path is described, and no other")
    func paths() async throws {
        try await TestSite.run { site in
            for route in site.map.operations {
                let variable = route.path.split(separator: "/").filter { $0.hasPrefix("{") }
                #expect(route.operation.path.map { "{\($0.name)}" } == variable.map(String.init), "\(route.path)")
            }
        }
    }

    @Test(
        "what changes something takes an Idempotency-Key, but for what has one effect by itself: a PUT, a DELETE, a proof, a test"
    )
    func keys() async throws {
        try await TestSite.run { site in
            for operation in try Self.operations(of: site) where !["get", "put", "delete"].contains(operation.method) {
                // Calls of apps have one effect by themselves; those that count take a key where one is sent.
                guard operation.body["security"] == nil else { continue }
                guard ![Paths.appleTest, Paths.purchases].contains(operation.path) else { continue }
                let parameters = operation.body["parameters"] as? [[String: Any]] ?? []
                // Clients of the readmigo document send none.
                let isOfDocument = AccessAction.allCases.contains {
                    $0.isOfTheDocument && operation.path == "/admin/subscriptions/{customer}/\($0.step)"
                }
                let name = isOfDocument ? "/OptionalIdempotencyKey" : "/IdempotencyKey"
                let takesKey = parameters.contains { ($0["$ref"] as? String)?.hasSuffix(name) ?? false }
                #expect(takesKey, "\(operation.method) \(operation.path)")
            }
        }
    }

    @Test("what is answered has the fields that Codable reads, by the same names")
    func readers() async throws {
        try await TestSite.run { site in
            let components = APIDocument.components(of: site.map.operations.map(\.operation))
            #expect(components.count > 40)
            for component in components {
                let read = try ReadFields.names(of: component.type)
                #expect(Set(read) == Set(component.type.fieldNames), "\(component.name)")
                #expect(Set(component.type.fieldNames).count == component.type.fieldNames.count, "\(component.name)")
            }
        }
    }

    @Test("the words of the description are those of the rules")
    func words() {
        func words<Value: CaseIterable & RawRepresentable<String>>(_ type: Value.Type) -> [String] {
            Value.allCases.map { $0.rawValue.uppercased() }.sorted()
        }
        #expect(Vocabulary.orderStatuses.sorted() == words(OrderStatus.self))
        #expect(Vocabulary.subscriptionStatuses.sorted() == words(Subscription.State.self))
        #expect(Vocabulary.refundStatuses.sorted() == words(Billing.Refund.Status.self))
        #expect(Vocabulary.refundTypes.sorted() == words(Billing.Refund.Kind.self))
        #expect(Vocabulary.environments.sorted() == words(StoreEnvironment.self))
        #expect(Vocabulary.sources.sorted() == Store.allCases.map(\.source).sorted())
        #expect(Vocabulary.reasonCategories.sorted() == Reason.Category.allCases.map(\.rawValue).sorted())
        #expect(Vocabulary.queues == QueueName.allCases.map(\.rawValue))
        #expect(Vocabulary.jobStates == QueueState.allCases.map(\.rawValue))
    }

    @Test("docs/api/openapi.json is what is served; RECORD_SNAPSHOTS=1 writes it anew")
    func file() async throws {
        try await TestSite.run { site in
            let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../../docs/api/openapi.json"
            )
            let served = IndentedJSON(of: Data(buffer: APIDocument(site.map.operations).body)).text
            if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
                try served.write(to: file, atomically: true, encoding: .utf8)
            }
            let isServed = try String(contentsOf: file, encoding: .utf8) == served
            #expect(isServed)
        }
    }

    @Test("anybody may read it, and it is not sent twice")
    func served() async throws {
        try await TestSite.run { site in
            try await site.app.test(.router) { client async throws in
                let browser = Browser(client)
                let answer = try await browser.get("/openapi.json")
                #expect(answer.status == .ok)
                #expect(answer.headers[.contentType] == "application/json")
                #expect(try Self.document(of: site)["openapi"] as? String == "3.1.0")
                let tag = try #require(answer.headers[.eTag])
                #expect(try await browser.get("/openapi.json", headers: [.ifNoneMatch: tag]).status == .notModified)
            }
        }
    }

    private static let restricted = [
        Paths.usage(of: "{feature}"), Paths.usageReservations(of: "{feature}"),
    ]

    private struct Operation {
        let method: String
        let path: String
        let body: [String: Any]
    }

    private static func document(of site: TestSite) throws -> [String: Any] {
        let body = APIDocument(site.map.operations).body
        return try #require(try JSONSerialization.jsonObject(with: Data(buffer: body)) as? [String: Any])
    }

    private static func operations(of site: TestSite) throws -> [Operation] {
        let methods = ["get", "put", "post", "patch", "delete"]
        let paths = try #require(try document(of: site)["paths"] as? [String: [String: Any]])
        return paths.flatMap { path, item in
            methods.compactMap { method in
                (item[method] as? [String: Any]).map { Operation(method: method, path: path, body: $0) }
            }
        }
    }
}
