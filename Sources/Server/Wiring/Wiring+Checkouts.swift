import Billing
import Foundation
import Gateways
import Operations
import Storage

extension Wiring {
    /// Finds out for each store at which an app sells whether it can be asked, and which certificates end soon.
    func checkouts(_ backOffice: BackOffice) async throws -> [Finding] {
        let apps = try await backOffice.database.readPrimary { try await $0.apps.all() }
        var findings: [Finding] = []
        for app in apps {
            for connection in try await backOffice.storeConnections(of: app.id) {
                let place = "\(app.slug) \(connection.store.rawValue)"
                switch try await backOffice.probeCheckouts(of: app.id, at: connection.store) {
                case nil: break
                case .answered:
                    findings.append(.well("\(place) answers about orders, and its signature holds"))
                case .failed(let reason):
                    findings.append(.ill("\(place) cannot be asked about orders", mend: reason))
                }
                findings += connection.certificates.map { Finding($0, at: place, backOffice.database.now) }
            }
            for (store, found) in try await backOffice.probeStores(of: app.id) {
                findings += found.map { Finding($0, at: "\(app.slug) \(store.rawValue)") }
            }
        }
        return findings
    }
}

extension Finding {
    fileprivate init(_ found: StoreFinding, at place: String) {
        self = found.problem.map { .ill("\(place) \(found.text)", mend: $0) } ?? .well("\(place) \(found.text)")
    }

    fileprivate init(_ certificate: StoreCertificate, at place: String, _ now: Date) {
        let text =
            "\(place): \(certificate.name) \(certificate.serial) is valid until \(certificate.endsAt.formatted(.iso8601))"
        let isEnding = certificate.endsAt.timeIntervalSince(now) < Self.notice
        self =
            isEnding
            ? .ill(text, mend: "download the new one from the store's console, and enter it beside the old one")
            : .well(text)
    }

    /// In seconds: 30 days.
    private static let notice: TimeInterval = 2_592_000
}
