package import Postgres

/// The database that a test begins with: its tables and their rows. It is made once in a test process, and every test that asks for
/// it finds exactly that.
package struct DatabaseTemplate: Sendable {
    let migrations: [Migrator.Migration]
    let name: String
    let fill: (@Sendable (Pool) async throws -> Void)?

    /// Makes a template with the rows of the migrations only.
    package init(_ migrations: [Migrator.Migration]) {
        (self.migrations, name, fill) = (migrations, "", nil)
    }

    /// - Parameters:
    ///   - name: the name of the filling; no two fillings of a process share one.
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

    /// Leaves the migrations' text out, which is long and the same for nearly all templates.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(migrations.count)
    }
}
