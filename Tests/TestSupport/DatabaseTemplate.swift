package import Postgres

/// The database that a test begins with: its tables, and the rows that stand in them already. It is made once in a test
/// process, and every test that asks for it finds exactly that.
package struct DatabaseTemplate: Sendable {
    let migrations: [Migrator.Migration]
    let name: String
    let fill: (@Sendable (Pool) async throws -> Void)?

    /// Tables in which stands what the migrations put there.
    package init(_ migrations: [Migrator.Migration]) {
        (self.migrations, name, fill) = (migrations, "", nil)
    }

    /// - Parameters:
    ///   - name: of what is filled in; no two fillings of one process have the same.
    ///   - fill: writes the rows, in the process's first test that wants them.
    package init(
        _ migrations: [Migrator.Migration],
        filled name: String,
        by fill: @escaping @Sendable (Pool) async throws -> Void
    ) {
        (self.migrations, self.name, self.fill) = (migrations, name, fill)
    }
}

extension DatabaseTemplate: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        left.name == right.name && left.migrations == right.migrations
    }

    /// The text of all migrations is long, and the same for nearly all.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(migrations.count)
    }
}
