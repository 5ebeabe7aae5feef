import ArgumentParser
import Foundation
import Server

struct RollupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rollups",
        abstract: "The sums from which metrics and charts are read.",
        subcommands: [Rebuild.self, Verify.self]
    )

    struct Rebuild: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make them again from the ledger.",
            discussion: "The server goes on meanwhile. Ended before it is done, it goes on from there the next time."
        )

        func run() async throws {
            let lines = try await Setting.wiring().rebuildRollups { app, rows in
                FileHandle.standardError.write(Data("\(app): \(rows) ledger rows\n".utf8))
            }
            print(lines.joined(separator: "\n"))
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Compare them with the ledger.",
            discussion: "Changes nothing. Ends with 1 and names the apps where they differ."
        )

        func run() async throws {
            print(try await Setting.wiring().verifyRollups().joined(separator: "\n"))
        }
    }
}
