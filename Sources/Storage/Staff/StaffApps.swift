package import Billing
import Foundation
import Postgres

/// The apps that a person may see.
package enum AppAccess: Sendable, Hashable {
    /// All apps, future ones too, and entries of no app.
    case all
    case only(Set<App.ID>)

    package func includes(_ app: App.ID) -> Bool {
        switch self {
        case .all: true
        case .only(let apps): apps.contains(app)
        }
    }
}

/// The one clause that says which apps a person may see.
enum StaffApps {
    /// For statements that call the person's row `t`.
    ///
    /// - Parameter app: the column with the app's id, as the statement names it.
    static func isVisible(_ app: String) -> Query {
        Query(
            unsafe:
                "(t.sees_all_apps OR EXISTS (SELECT FROM staff_apps x WHERE x.staff_id = t.id AND x.app_id = \(app)))"
        )
    }
}

extension StaffWrites {
    package func setAppAccess(of id: Staff.ID, to access: AppAccess) async throws {
        let (seesAll, apps): (Bool, [UUID]) =
            switch access {
            case .all: (true, [])
            case .only(let apps): (false, apps.map(\.uuid))
            }
        try await transaction.pipeline([
            "UPDATE staff SET sees_all_apps = \(seesAll), updated_at = \(transaction.now) WHERE id = \(id)",
            "DELETE FROM staff_apps WHERE staff_id = \(id)",
            "INSERT INTO staff_apps (staff_id, app_id) SELECT \(id), unnest(\(apps))",
        ])
    }

    /// For the audit log: "all", or slugs in order.
    package func appAccessText(of id: Staff.ID) async throws -> String {
        let rows = try await transaction.query(
            """
            SELECT CASE WHEN t.sees_all_apps THEN 'all'
                ELSE (SELECT string_agg(a.slug, ' ' ORDER BY a.slug)
                      FROM staff_apps x JOIN apps a ON a.id = x.app_id WHERE x.staff_id = t.id) END
            FROM staff t
            WHERE t.id = \(id)
            """
        )
        return try rows.first?.decode(0, as: String?.self) ?? ""
    }

    /// The ids of those apps that exist, by slug.
    package func apps(named slugs: [String]) async throws -> [String: App.ID] {
        try await transaction.query("SELECT slug, id FROM apps WHERE slug = ANY(\(slugs))").reduce(into: [:]) {
            let (slug, id) = try $1.decode(String.self, App.ID.self)
            $0[slug] = id
        }
    }
}
