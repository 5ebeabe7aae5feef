import ArgumentParser
import Foundation

/// Writes a store's messages as ready-made webhook requests.
struct ShopRequests: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Sign messages of a store and write them as HTTP requests, dealt out to several files."
    )

    @Option(help: "The store.")
    var store: ShopName

    @Option(help: "How many requests.")
    var count = 10_000

    @Option(help: "How many files: NAME.0, NAME.1 …")
    var files = 2

    @Option(help: "The directory of the store's keys.")
    var keys: String

    @Option(help: "The app, by its slug.")
    var app: String

    @Argument(help: "Where to, without the number.")
    var name: String

    func run() throws {
        let messages = try ShopMessages(of: store, keptIn: keys, app: app)
        for file in 0..<max(1, files) {
            let path = "\(name).\(file)"
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let handle = FileHandle(forWritingAtPath: path)
            else { throw ValidationError("\(path) cannot be written.") }
            for number in 0..<count where number % max(1, files) == file {
                try handle.write(contentsOf: try messages.request(number))
            }
            try handle.close()
        }
    }
}
