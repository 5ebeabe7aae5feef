import APITypes
import Billing
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import Operations
import Postgres
import RouterTesting
import Storage
import Testing

@testable import Desk
@testable import HTTP

/// Makes every call of the route map with one customer's token and another's things. Two apps have two customers each.
@Suite("Customers and apps that are strangers to each other") struct StrangerTests {
    @Test("no customer's token reads or changes anything of another customer, in the same app or another")
    func customers() async throws {
        // Each has a site of its own: one of the calls deletes the caller's account, which is no victim any more then.
        for number in 0..<4 {
            try await run { site, people in
                let caller = people[number]
                let others = people.filter { $0.id != caller.id }
                for route in site.map.operations where Self.takesCustomers(route) {
                    try await nothingHappens(to: others, site, "\(caller.name): \(route.method) \(route.path)") {
                        for victim in others {
                            for attempt in attempts(route, on: victim, by: caller) {
                                // A token that an earlier call may have ended would test nothing.
                                let token = try await mint(caller, site)
                                #expect(try await ask(.get, Attempt(path: "/entitlements"), token, site).status == .ok)
                                let answer = try await ask(route.method, attempt, token, site)
                                let what = "\(caller.name): \(attempt.path)"
                                // Anybody may know an app's offers.
                                let isOffer = route.access == .open
                                tellsNothing(answer, of: others, after: attempt, what, butPlans: isOffer)
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("no app's key reads or changes anything of another app's customers, nor one customer's by another's name")
    func servers() async throws {
        try await run { site, people in
            for caller in people {
                let key = try await key(of: caller, site)
                let own = Attempt(path: "/customers/\(caller.name)")
                #expect(try await ask(.get, own, key, site).status == .ok)
                for route in site.map.operations where Self.isForServers(route.access) {
                    for victim in people where victim.id != caller.id {
                        // Within an app, only a thing that is named beside the customer can be another's.
                        if victim.app == caller.app, !route.path.contains("{id}") { continue }
                        let others = people.filter { $0.app != caller.app } + (victim.app == caller.app ? [victim] : [])
                        try await nothingHappens(to: others, site, "\(caller.name): \(route.method) \(route.path)") {
                            for attempt in attempts(route, on: victim, by: caller) {
                                let answer = try await ask(route.method, attempt, key, site)
                                tellsNothing(answer, of: others, after: attempt, "\(caller.name): \(attempt.path)")
                            }
                        }
                    }
                }
            }
        }
    }

    @Test("a customer's token opens nothing of servers, and a server's key nothing of customers")
    func kinds() async throws {
        try await run { site, people in
            let caller = people[0]
            let (token, key) = (try await mint(caller, site), try await key(of: caller, site))
            for route in site.map.operations where Self.takesCustomers(route) || Self.isForServers(route.access) {
                let wrong = Self.takesCustomers(route) ? key : token
                for victim in people {
                    for attempt in attempts(route, on: victim, by: caller) {
                        let answer = try await ask(route.method, attempt, wrong, site)
                        #expect(answer.status == .unauthorized, "\(route.method) \(attempt.path)")
                    }
                }
            }
        }
    }

    @Test("a key under which one customer has counted is free for every other, and answers nothing of the first")
    func keys() async throws {
        try await run { site, people in
            for caller in people {
                let server = try await key(of: caller, site)
                let isFirst = people.first { $0.app == caller.app }?.id == caller.id
                for victim in people where victim.id != caller.id {
                    let others = people.filter { $0.id != caller.id }
                    try await nothingHappens(to: others, site, "\(caller.name) with the key of \(victim.name)") {
                        var paths = [("/usage/ai/reservations", caller.token)]
                        // A server's key belongs to its app.
                        if isFirst, victim.app != caller.app {
                            paths.append(("/customers/\(caller.name)/usage/ai/reservations", server))
                        }
                        for (path, token) in paths {
                            let attempt = Attempt(path: path, body: Self.reservation)
                            let answer = try await ask(.post, attempt, token, site, key: victim.key)
                            #expect(answer.status == .created, "\(path): \(answer.text)")
                            tellsNothing(answer, of: others, after: attempt, path)
                            #expect(try await ask(.post, attempt, token, site, key: victim.key) == answer)
                        }
                    }
                }
            }
        }
    }

    @Test("every call that takes a customer's token or a server's key has a case here")
    func completeness() async throws {
        try await TestSite.run { site in
            let routes = site.map.operations.filter { Self.takesCustomers($0) || Self.isForServers($0.access) }
            let names = routes.map { "\($0.method.rawValue) \($0.path)" }
            #expect(Set(names) == Set(Self.bodies.keys))
            let entries = site.map.entries.filter { $0.access == .customer || Self.isForServers($0.access) }
            #expect(Set(entries.map { "\($0.method.rawValue) \($0.path)" }).isSubset(of: names))
            // The other open calls with a body: a refresh token itself proves its owner.
            let open = site.map.operations.filter { $0.access == .open && $0.operation.body != nil }
            #expect(Set(open.map(\.path)).subtracting(routes.map(\.path)) == [Paths.refreshToken])
        }
    }

    /// Returns true if a customer's token changes the answer.
    private static func takesCustomers(_ route: DescribedRoute) -> Bool {
        route.access == .customer || route.operation.mayTakeToken
    }

    private static func isForServers(_ access: RouteAccess) -> Bool {
        if case .appServer = access { true } else { false }
    }
}
