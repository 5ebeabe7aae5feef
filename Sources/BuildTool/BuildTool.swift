import Foundation

/// The functions that the tools of the build share: writing files, and failing.
package enum BuildTool {
    /// Writes a Swift file. One that says what it said before stays as old as it was, so that nothing is compiled again
    /// because of it.
    package static func write(_ swift: String, to path: String) throws {
        let (url, content) = (URL(filePath: path), Data(swift.utf8))
        guard (try? Data(contentsOf: url)) != content else { return }
        try content.write(to: url, options: .atomic)
    }

    /// Ends the build with messages, a line each.
    package static func fail(_ messages: [String]) -> Never {
        for message in messages { FileHandle.standardError.write(Data("\(message)\n".utf8)) }
        exit(1)
    }
}
