import Foundation
import Testing

/// A store over TLS in its own process (Tests/Interop/tls_store.py), with a certificate for this machine that nobody trusts.
final class TLSStore {
    let port: Int
    /// The file of the certificate; a client that trusts it trusts the store.
    let certificate: String
    private let judge: Judge
    private let process: Process
    private let output: FileHandle

    var url: String { "https://127.0.0.1:\(port)/it" }

    /// - Parameter names: the names in the certificate.
    init(speaking protocols: String, names: String = "IP:127.0.0.1,DNS:localhost") async throws {
        judge = try Judge()
        let made = try judge.openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=store",
            "-addext",
            "subjectAltName=\(names)",
            "-keyout",
            "key.pem",
            "-out",
            "certificate.pem"
        )
        try #require(made.status == 0, "\(made.output)")
        certificate = judge.folder.appending(path: "certificate.pem").path
        process = judge.process("tls_store.py", protocols)
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        self.output = output.fileHandleForReading
        try process.run()
        var line = Data()
        while let byte = try self.output.read(upToCount: 1), byte.first != UInt8(ascii: "\n") { line += byte }
        port = try #require(Int(String(decoding: line, as: UTF8.self)))
    }

    /// Ends the process.
    ///
    /// - Returns: the requests that it could read, one a line.
    func stop() throws -> [String] {
        (process.standardInput as? Pipe)?.fileHandleForWriting.closeFile()
        process.waitUntilExit()
        let lines = try output.readToEnd() ?? Data()
        judge.removeFolder()
        return String(decoding: lines, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
