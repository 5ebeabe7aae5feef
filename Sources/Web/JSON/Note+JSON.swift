import APITypes
import Billing
import Foundation
import Storage

extension Note {
    init(_ note: CustomerNote) {
        self.init(id: note.id.uuid, author: note.author, text: note.text, createdAt: note.createdAt)
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
