import APITypes
import Billing
import Foundation
import Storage

extension Note {
    /// nil for who may not read notes.
    init?(_ note: CustomerNote, for reader: some PersonalDataReader) {
        guard let text = note.text.shown(to: reader) else { return nil }
        self.init(id: note.id.uuid, author: note.author, text: text, createdAt: note.createdAt)
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.field("author", author)
            json.field("text", text)
            json.field("createdAt", createdAt)
        }
    }
}

extension NotePage {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("notes")
            json.array(notes) { json, note in note.write(to: &json) }
            json.field("next", next)
        }
    }
}
