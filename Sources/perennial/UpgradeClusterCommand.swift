import ArgumentParser
import Server

struct UpgradeClusterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upgrade-cluster",
        abstract: "Bring the private cluster to the newest PostgreSQL that is installed.",
        discussion: """
            Runs pg_upgrade on a copy, while no server runs; the programs of both versions have to be there. The data of \
            before stays beside the new until you remove it.
            """
    )

    func run() async throws {
        print(try await Setting.wiring().upgradeCluster())
    }
}
