import Foundation

/// A simulated store for one app, its keys kept in a directory, as `perennial simulate` serves it.
package protocol SimulatedShop: Sendable {
    /// Listens on loopback.
    ///
    /// - Parameter port: 0 for any.
    /// - Throws: `.unusablePort`
    func start(port: Int) async throws(SimulatorError)
    func stop() async
    var url: String { get }
    /// The app's entry below `stores:` of its catalogue, in YAML. What it names is in the directory.
    var catalogEntry: String { get }
    /// Looks every second for notifications that are due, until the task is cancelled.
    func deliverForever() async
}

extension SimulatedShop {
    /// Keeps the entry in the directory, too.
    ///
    /// - Returns: its file.
    /// - Throws: `.unusableAuthority`
    package func keepEntry(as name: String, in directory: String) throws(SimulatorError) -> String {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        do {
            try KeptFile.write("stores:\n\(catalogEntry)", as: name, in: folder)
        } catch {
            throw SimulatorError.unusable(directory, error)
        }
        return folder.appending(path: name).path
    }
}

extension SimulatorError {
    static func unusable(_ directory: String, _ error: any Error) -> SimulatorError {
        SimulatorError(
            .unusableAuthority,
            "The keys of the simulated store in \(directory) cannot be used.",
            underlying: error
        )
    }
}

extension URL {
    /// The directory of a simulated store's keys, made where there is none.
    static func keyFolder(_ directory: String) throws -> URL {
        let folder = URL(filePath: directory, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
