import Billing
import Foundation
import Postgres

/// The condition by which a search text narrows a list of customers, `c` in the statement.
///
/// Three letters or digits in a row are searched anywhere in ids, name and e-mail address, by the trigram index; a shorter text only
/// at the beginning of one of them. Without personal data only the beginnings of ids are searched: names could be guessed letter by
/// letter from the trigrams.
struct CustomerSearch {
    let text: SearchText
    let seesPersonalData: Bool

    init(_ text: String, seesPersonalData: Bool) {
        self.text = SearchText(text: text)
        self.seesPersonalData = seesPersonalData
    }

    /// A condition.
    var condition: Query {
        if let key = text.uuid { return "(c.id = \(key) OR c.key = \(key.uuidString.lowercased()) OR \(ids))" }
        guard seesPersonalData else { return "(\(ids))" }
        if text.hasTrigrams { return "c.search LIKE search_key(\("%\(text.escaped)%"))" }
        let prefix = "\(text.escaped)%"
        return """
            (\(ids) OR c.name IS NOT NULL AND search_key(c.name) LIKE search_key(\(prefix))
                OR c.email IS NOT NULL AND search_key(c.email) LIKE search_key(\(prefix)))
            """
    }

    private var ids: Query {
        let prefix = "\(text.escaped)%"
        return "c.key LIKE \(prefix) OR c.external_id IS NOT NULL AND c.external_id LIKE \(prefix)"
    }
}
