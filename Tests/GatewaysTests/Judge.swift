import Foundation
import Testing

/// Runs Python scripts of Tests/Interop with the Python that PERENNIAL_PYTHON names, in a folder of its own.
struct Judge {
    let folder: URL
    private let python: String

    static var isAvailable: Bool { ProcessInfo.processInfo.environment["PERENNIAL_PYTHON"] != nil }
    static var isRequired: Bool { ProcessInfo.processInfo.environment["PERENNIAL_REQUIRE_INTEROP"] == "1" }

    struct Unusable: Error {}

    /// - Parameter environment: the end of the name of another environment beside that one, for packages that do not go together; see
    ///   `bin/setup`.
    init(environment: String = "") throws {
        let own = try #require(
            ProcessInfo.processInfo.environment["PERENNIAL_PYTHON"],
            "PERENNIAL_PYTHON must name a Python that has app-store-server-library."
        )
        let root = URL(filePath: own).deletingLastPathComponent().deletingLastPathComponent()
        python = environment.isEmpty ? own : root.path + environment + "/bin/python"
        folder = FileManager.default.temporaryDirectory.appending(path: "judge-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func removeFolder() {
        try? FileManager.default.removeItem(at: folder)
    }

    func read(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: folder.appending(path: name)))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: folder.appending(path: name))
    }

    /// Runs a script without blocking a thread, for scripts that send requests to this process.
    func runAside(_ script: String) async throws -> (status: Int32, output: String) {
        let file = folder.appending(path: "output")
        try Data().write(to: file)
        let process = process(script)
        let output = try FileHandle(forWritingTo: file)
        process.standardOutput = output
        process.standardError = output
        let status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return (status, String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    func run(_ script: String) throws -> (status: Int32, output: String) {
        try run(process(script))
    }

    /// Runs OpenSSL's command line in the folder.
    func openssl(_ arguments: String...) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin"]
        return try run(process)
    }

    private func run(_ process: Process) throws -> (status: Int32, output: String) {
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    /// Returns a process that has yet to run a script, with the folder as its first argument.
    func process(_ script: String, _ arguments: String...) -> Process {
        let scripts = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [scripts.appending(path: "Interop/\(script)").path, folder.path] + arguments
        process.environment = ["PYTHONDONTWRITEBYTECODE": "1", "PATH": "/usr/bin:/bin"]
        return process
    }
}
