import Postgres

/// A language that the product speaks to people. Raw values are BCP 47 tags, as the database keeps them.
package enum Language: String, Sendable, CaseIterable, PostgresEncodable, PostgresDecodable {
    case english = "en"
    case chinese = "zh-Hans"
    case turkish = "tr"
}
