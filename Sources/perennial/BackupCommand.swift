import ArgumentParser
import Foundation
import Server

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database to a new directory, and restore it once to see that it is whole.",
        discussion: """
            Servers go on meanwhile. The directory holds database.dump (pg_dump's custom format) and manifest.json, which has \
            the number of rows of each table, the end of the audit log and the fingerprint of the secret. Keep the secret \
            elsewhere, or let --with-secret copy it, and keep the backup as safe as the database itself.
            """
    )

    @Argument(help: "A directory that there is not yet.", completion: .directory)
    var directory: String

    @Flag(help: "Copy the secret beside the dump.")
    var withSecret = false

    @Flag(help: "Do not restore it once; that takes as long as a restore, and as much space as the database.")
    var unchecked = false

    @Flag(help: "Print nothing when it worked, as cron wants it.")
    var quiet = false

    func run() async throws {
        let made = try await Setting.wiring().backUp(to: directory, withSecret: withSecret, checks: !unchecked)
        guard !quiet else { return }
        print("\(directory): \(made.contents).")
        print(made.isChecked ? "It was restored once and is the same." : "It was not restored to check it.")
        if made.isChecked, !made.isAuditChecked { print(Wiring.auditLogUnchecked) }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Fill an empty database from a backup.",
        discussion: """
            Goes to a new private cluster in PERENNIAL_STATE, or to the empty database of PERENNIAL_DATABASE_URL; never over \
            anything that is there.
            """
    )

    @Argument(help: "What `perennial backup` made.", completion: .directory)
    var directory: String

    func run() async throws {
        let lines = try await Setting.wiring().restore(from: directory)
        print("The database is restored, and is the same as what was copied.")
        for line in lines { print(line) }
    }
}
