import APITypes
import Billing
import Foundation
import HTTP
import Storage

extension Note {
    /// nil for who may not read notes.
    init?(_ note: CustomerNote, for reader: some PersonalDataReader) {
        guard let text = note.text.shown(to: reader) else { return nil }
        self.init(id: note.id.uuid, author: note.author, text: text, createdAt: note.createdAt)
    }
}
