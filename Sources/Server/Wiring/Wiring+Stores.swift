import Billing
import Foundation
import Operations
import Storage

extension Wiring {
    /// Returns the findings of the page Stores: the keys that each app has at its stores, and the time each was last heard of.
    func stores(_ backOffice: BackOffice) async throws -> [Finding] {
        let apps = try await backOffice.database.readPrimary { try await $0.apps.all() }
        var findings: [Finding] = []
        for app in apps {
            for connection in try await backOffice.storeConnections(of: app.id) {
                findings += self.findings(connection, of: app.slug)
            }
        }
        return findings
    }

    private func findings(_ connection: StoreConnection, of slug: String) -> [Finding] {
        let place = "\(slug) \(connection.store.rawValue)"
        var findings: [Finding] = []
        if let problem = connection.problem {
            findings.append(.ill("\(place) cannot work as it is set", mend: problem))
        }
        let set = connection.keys.compactMap { key -> String? in
            let id = key.label.map { " \($0)" } ?? ""
            return switch key.origin {
            case .catalog: "\(Self.name(of: key.kind))\(id) (catalogue)"
            case .uploaded(let moment): "\(Self.name(of: key.kind))\(id) (uploaded \(moment.formatted(.iso8601)))"
            case .missing, .unreadable: nil
            }
        }
        let missing = connection.keys.filter { $0.origin == .missing }.map { Self.name(of: $0.kind) }
        findings.append(
            .well(
                "\(place) has \(set.isEmpty ? "no key" : set.joined(separator: ", "))"
                    + (missing.isEmpty ? "" : "; not set: \(missing.joined(separator: ", "))")
            )
        )
        for key in connection.keys where key.origin == .unreadable {
            findings.append(
                .ill(
                    "\(place): \(Self.name(of: key.kind)) was sealed with another secret",
                    mend: "apply the catalogue again, or upload the key again (docs/stores/apple.md, Keys)"
                )
            )
        }
        let heard = StoreEnvironment.allCases.map { environment in
            "\(environment.rawValue) \(connection.lastReceived[environment]?.formatted(.iso8601) ?? "never")"
        }
        findings.append(.well("\(place) was last heard of: \(heard.joined(separator: ", "))"))
        return findings
    }

    private static func name(of kind: StoreKey.Kind) -> String {
        switch kind {
        case .api: "API key"
        case .sharedSecret: "shared secret"
        case .signIn: "sign-in key"
        }
    }
}
