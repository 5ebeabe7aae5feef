import Billing
import Crypto
import Foundation
import HTTP
import Operations
import Storage

/// The form for a key: a field for each of its settings and secrets, by their names.
struct StoreKeyForm: Sendable {
    private let key: StoreConnection.Key

    init(_ key: StoreConnection.Key) {
        self.key = key
    }

    /// - Throws: `OperationsError` with `.invalid` and every field that is missing.
    func key(in form: URLEncoded) throws -> StoreKey {
        var sent = StoreKey(kind: key.kind)
        var missing: [String] = []
        for name in key.settingNames {
            // Several ids may stand with spaces, commas or line breaks between them.
            let words = (try form.single(name) ?? "").split { $0 == "," || $0.isWhitespace }
            if !words.isEmpty {
                sent.settings[name] = words.joined(separator: " ")
            } else if !key.optionalNames.contains(name) {
                missing.append(name)
            }
        }
        for name in key.secretNames {
            let text = (try form.single(name) ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
            if !text.isEmpty {
                sent.secrets[name] = Secret(text)
            } else if !key.optionalNames.contains(name) {
                missing.append(name)
            }
        }
        guard missing.isEmpty else { throw OperationsError(problems: missing.map { FieldProblem($0, .missing) }) }
        return sent
    }

    /// Returns the fields to show again when something is wrong: never a secret.
    func shown(of form: URLEncoded) -> TypedFields {
        form.typed.filter { key.settingNames.contains($0.key) }
    }
}

extension StoreKey {
    /// Stands for all of it in the fingerprint of a form.
    var fingerprint: String {
        let parts = settings.map { "\($0.key)=\($0.value)" } + secrets.map { "\($0.key)=\($0.value.revealed)" }
        return Array(SHA256.hash(data: Data(parts.sorted().joined(separator: "\n").utf8))).hexadecimal
    }
}
