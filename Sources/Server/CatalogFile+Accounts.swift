import Billing
import Foundation
import Gateways
import Operations

/// The accounts that a catalogue names: Apple's section, and what stands under `stores`.
extension CatalogFile {
    func accounts(relativeTo folder: URL) throws -> [StoreAccount] {
        var accounts = try apple.map { [try account($0, relativeTo: folder)] } ?? []
        for store in Store.known {
            let path = "stores.\(store.rawValue)"
            guard let entry = stores?[store.rawValue], let identifier = entry.identifier else { continue }
            guard store != .apple else {
                throw invalid("\(path).identifier", "stands in the section apple, as bundleId")
            }
            accounts.append(
                StoreAccount(
                    store: store,
                    identifier: try text(identifier, "\(path).identifier"),
                    isSimulated: try isSimulated(entry.environment, "\(path).environment"),
                    settings: try settings(entry.settings ?? [:], "\(path).settings"),
                    anchors: try anchors(entry.anchors, "\(path).anchors", relativeTo: folder),
                    secrets: try secrets(entry.secrets ?? [:], "\(path).secrets", relativeTo: folder)
                )
            )
        }
        return accounts
    }

    private func account(_ apple: Apple, relativeTo folder: URL) throws -> StoreAccount {
        let isSimulated = try isSimulated(apple.environment, "apple.environment")
        let anchors = try anchors(apple.anchors, "apple.anchors", relativeTo: folder)
        if isSimulated, anchors.isEmpty {
            throw invalid("apple.anchors", "are needed where the environment is simulator")
        }
        return .apple(
            bundleID: try text(apple.bundleId, "apple.bundleId"),
            appAppleID: apple.appAppleId,
            isSimulated: isSimulated,
            anchors: anchors,
            api: try settings(apple.api?.settings ?? [:], "apple.api"),
            secrets: try secrets(apple.api?.secrets ?? [:], "apple.api", relativeTo: folder)
        )
    }

    private func isSimulated(_ environment: String?, _ path: String) throws -> Bool {
        switch environment ?? "store" {
        case "store": false
        case "simulator": true
        default: throw invalid(path, "is store or simulator")
        }
    }

    private func settings(_ settings: [String: String], _ path: String) throws -> [String: String] {
        for (name, value) in settings {
            _ = try text(name, path)
            _ = try text(value, "\(path).\(name)")
        }
        return settings
    }

    private func anchors(_ references: [String]?, _ path: String, relativeTo folder: URL) throws -> [[UInt8]] {
        try (references ?? []).enumerated().map { index, reference in
            let path = "\(path)[\(index)]"
            return try CertificateFile.der(of: try value(of: reference, path, relativeTo: folder), path)
        }
    }

    private func secrets(
        _ references: [String: String],
        _ path: String,
        relativeTo folder: URL
    ) throws -> [String: Secret] {
        var secrets: [String: Secret] = [:]
        for (name, reference) in references {
            let path = "\(path).\(name)"
            let data = try value(of: reference, path, relativeTo: folder)
            guard let text = String(data: data, encoding: .utf8), !text.isEmpty, !text.contains("\0") else {
                throw invalid(path, "is no text")
            }
            secrets[name] = Secret(text.hasSuffix("\n") ? String(text.dropLast()) : text)
        }
        return secrets
    }

    private func value(of reference: String, _ path: String, relativeTo folder: URL) throws -> Data {
        guard let value = try SecretReference(reference, path).value(relativeTo: folder) else {
            throw invalid(path, "names nothing that is there: \(reference)")
        }
        return value
    }
}

extension CatalogFile.Apple.API {
    fileprivate var settings: [String: String] {
        let named = [
            AppleSetting.issuerID: issuerId, AppleSetting.keyID: keyId, AppleSetting.productionAPI: production,
            AppleSetting.sandboxAPI: sandbox,
        ]
        return named.compactMapValues(\.self)
    }

    /// References, by the names of what they are of.
    fileprivate var secrets: [String: String] { privateKey.map { [AppleSetting.privateKey: $0] } ?? [:] }
}

extension StoreAccount {
    /// Trusts a test authority instead of Apple. A key for Apple's own API goes: what it would ask is another store.
    mutating func trust(simulator roots: [[UInt8]]) {
        isSimulated = true
        anchors = roots
        guard settings[AppleSetting.productionAPI] == nil else { return }
        for name in AppleSetting.api {
            settings[name] = nil
            secrets[name] = nil
        }
    }
}
