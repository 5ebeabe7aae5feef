import Foundation
import Operations

/// The place where a secret is kept, as configuration files name it: `env:NAME` or `file:PATH`. Never the secret itself.
struct SecretReference {
    private enum Place {
        case environment(String)
        case file(String)
    }

    private let place: Place

    /// - Throws: `OperationsError` with `.invalid` for anything else, without repeating it: it may be a secret.
    init(_ text: String, _ path: String) throws {
        if text.hasPrefix("env:") {
            place = .environment(String(text.dropFirst(4)))
        } else if text.hasPrefix("file:") {
            place = .file(String(text.dropFirst(5)))
        } else {
            throw OperationsError(.invalid, "\(path) is env:NAME or file:PATH.", field: path)
        }
    }

    /// The bytes there; nil when there is nothing. File paths are relative to the naming file.
    func value(relativeTo folder: URL) throws -> Data? {
        switch place {
        case .environment(let name):
            ProcessInfo.processInfo.environment[name].map { Data($0.utf8) }
        case .file(let path):
            FileManager.default.contents(atPath: URL(fileURLWithPath: path, relativeTo: folder).path)
        }
    }
}

/// A certificate in either of its usual spellings.
enum CertificateFile {
    /// The DER of a certificate given as DER or PEM.
    static func der(of data: Data, _ path: String) throws -> [UInt8] {
        guard let text = String(data: data, encoding: .utf8), text.contains("-----BEGIN CERTIFICATE-----") else {
            return [UInt8](data)
        }
        let body =
            text.split(separator: "-----BEGIN CERTIFICATE-----", maxSplits: 1).last?
            .split(separator: "-----END CERTIFICATE-----").first ?? ""
        guard let der = Data(base64Encoded: String(body), options: .ignoreUnknownCharacters), !der.isEmpty else {
            throw OperationsError(.invalid, "\(path) is no certificate in DER or PEM.", field: path)
        }
        return [UInt8](der)
    }
}
