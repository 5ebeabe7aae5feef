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
                    settings: try settings(entry.settings ?? [:], of: store, "\(path).settings"),
                    anchors: try anchors(entry.anchors, "\(path).anchors", relativeTo: folder),
                    secrets: try secrets(
                        known(entry.secrets ?? [:], StoreSettingNames.secrets(of: store), "\(path).secrets"),
                        relativeTo: folder
                    ) { "\(path).secrets.\($0)" }
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
            api: try settings(of: apple),
            secrets: try secrets(apple.secrets, relativeTo: folder) { "apple.\(AppleSetting.path($0))" }
        )
    }

    private func settings(of apple: Apple) throws -> [String: String] {
        var settings: [String: String] = [:]
        for (name, value) in apple.settings {
            settings[name] = try text(value, "apple.\(AppleSetting.path(name))")
        }
        for (index, id) in (apple.id?.clientIds ?? []).enumerated() {
            let path = "apple.\(AppleSetting.clientIDs)[\(index)]"
            guard !(try text(id, path)).contains(" ") else { throw invalid(path, "is one id, without a space") }
        }
        settings[AppleSetting.clientIDs] = apple.id?.clientIds?.joined(separator: " ")
        return settings
    }

    private func isSimulated(_ environment: String?, _ path: String) throws -> Bool {
        switch environment ?? "store" {
        case "store": false
        case "simulator": true
        default: throw invalid(path, "is store or simulator")
        }
    }

    private func settings(_ settings: [String: String], of store: Store, _ path: String) throws -> [String: String] {
        for (name, value) in try known(settings, StoreSettingNames.settings(of: store), path) {
            _ = try text(name, path)
            _ = try text(value, "\(path).\(name)")
        }
        return settings
    }

    /// The entries, once a store's gateway is known to read each of them.
    private func known(_ entries: [String: String], _ names: [String]?, _ path: String) throws -> [String: String] {
        guard let names else { return entries }
        for name in entries.keys.sorted() where !names.contains(name) {
            let meant =
                NearestName.of(name, among: names).map { "the nearest is \($0)" }
                ?? "known here are \(names.joined(separator: ", "))"
            let isPlain = name.wholeMatch(of: /[A-Za-z0-9_.\-]{1,64}/) != nil
            throw invalid(isPlain ? "\(path).\(name)" : path, "is no setting (\(meant))")
        }
        return entries
    }

    private func anchors(_ references: [String]?, _ path: String, relativeTo folder: URL) throws -> [[UInt8]] {
        try (references ?? []).enumerated().map { index, reference in
            let path = "\(path)[\(index)]"
            return try CertificateFile.der(of: try value(of: reference, path, relativeTo: folder), path)
        }
    }

    private func secrets(
        _ references: [String: String],
        relativeTo folder: URL,
        path: (String) -> String
    ) throws -> [String: Secret] {
        var secrets: [String: Secret] = [:]
        for (name, reference) in references {
            secrets[name] = try secret(reference, path(name), relativeTo: folder)
        }
        return secrets
    }

    func secret(_ reference: String, _ path: String, relativeTo folder: URL) throws -> Secret {
        let data = try value(of: reference, path, relativeTo: folder)
        guard let text = String(data: data, encoding: .utf8), !text.isEmpty, !text.contains("\0") else {
            throw invalid(path, "is no text")
        }
        return Secret(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }

    private func value(of reference: String, _ path: String, relativeTo folder: URL) throws -> Data {
        guard let value = try SecretReference(reference, path).value(relativeTo: folder) else {
            throw invalid(path, "names nothing that is there: \(reference)")
        }
        return value
    }
}

extension CatalogFile.Apple {
    /// By the names of `AppleSetting`, all but the client ids.
    fileprivate var settings: [String: String] {
        let named = [
            AppleSetting.issuerID: api?.issuerId, AppleSetting.keyID: api?.keyId,
            AppleSetting.productionAPI: api?.production, AppleSetting.sandboxAPI: api?.sandbox,
            AppleSetting.seats: api?.seats, AppleSetting.productionVerifyReceipt: verifyReceipt?.production,
            AppleSetting.sandboxVerifyReceipt: verifyReceipt?.sandbox,
            AppleSetting.teamID: id?.teamId, AppleSetting.signInKeyID: id?.keyId,
            AppleSetting.signInAddress: id?.address,
        ]
        return named.compactMapValues(\.self)
    }

    /// References, by the names of what they are of.
    fileprivate var secrets: [String: String] {
        let named = [
            AppleSetting.privateKey: api?.privateKey, AppleSetting.sharedSecret: sharedSecret,
            AppleSetting.signInPrivateKey: id?.privateKey,
        ]
        return named.compactMapValues(\.self)
    }
}

extension StoreAccount {
    /// Trusts a test authority instead of Apple. A key for what is Apple's own goes: what it would ask is another store.
    mutating func trust(simulator roots: [[UInt8]]) {
        isSimulated = true
        anchors = roots
        if settings[AppleSetting.productionAPI] == nil { forget(AppleSetting.api) }
        if settings[AppleSetting.productionVerifyReceipt] == nil { forget(AppleSetting.verifyReceipt) }
        if settings[AppleSetting.signInAddress] == nil { forget(AppleSetting.signIn) }
    }

    private mutating func forget(_ names: [String]) {
        for name in names {
            settings[name] = nil
            secrets[name] = nil
        }
    }
}
