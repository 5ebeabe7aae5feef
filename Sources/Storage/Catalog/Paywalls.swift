package import Billing
import Foundation
import Postgres

extension PaywallCopy {
    /// One row, or none.
    static func query(of app: App.ID) -> Query {
        """
        SELECT title, headline, subscribe, terms_url, privacy_url
        FROM paywalls
        WHERE app_id = \(app)
        """
    }

    /// - Parameter rows: of `query`.
    init(_ rows: Rows) throws {
        guard let row = rows.first else {
            self.init()
            return
        }
        let (title, headline, subscribe, terms, privacy) = try row.decode(
            LocalizedText.self,
            LocalizedText.self,
            LocalizedText.self,
            String?.self,
            String?.self
        )
        self.init(title: title, headline: headline, subscribe: subscribe, termsURL: terms, privacyURL: privacy)
    }
}

extension CatalogWrites {
    package func save(paywall: PaywallCopy, of app: App.ID) async throws {
        try await transaction.query(
            """
            INSERT INTO paywalls (app_id, title, headline, subscribe, terms_url, privacy_url)
            VALUES
                (\(app), \(paywall.title), \(paywall.headline), \(paywall.subscribe), \(paywall.termsURL),
                 \(paywall.privacyURL))
            ON CONFLICT (app_id) DO UPDATE
            SET title = excluded.title, headline = excluded.headline, subscribe = excluded.subscribe,
                terms_url = excluded.terms_url, privacy_url = excluded.privacy_url
            """
        )
    }

    /// Makes every cache of the catalogue read it anew.
    package func raiseVersion(of app: App.ID) async throws {
        try await transaction.query("UPDATE apps SET catalog_version = catalog_version + 1 WHERE id = \(app)")
    }
}

extension PlanBenefit {
    /// The member of a stored benefit that is no language.
    private static let iconMember = "icon"

    /// A list of benefits as one `jsonb`.
    static func json(of list: [PlanBenefit]) throws -> JSONText {
        let members = list.map { benefit in
            benefit.text.texts.merging(benefit.icon.map { [iconMember: $0] } ?? [:]) { text, _ in text }
        }
        return JSONText(bytes: Array(try JSONEncoder().encode(members)))
    }

    static func list(_ json: JSONText) throws -> [PlanBenefit] {
        try JSONDecoder().decode([[String: String]].self, from: Data(json.bytes)).map { members in
            var texts = members
            let icon = texts.removeValue(forKey: iconMember)
            return PlanBenefit(LocalizedText(texts), icon: icon)
        }
    }
}
