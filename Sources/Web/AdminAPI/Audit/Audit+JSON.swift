import APITypes
import Foundation
import Operations
import Storage

extension AuditRecord {
    init(_ row: AuditRow, for reader: some PersonalDataReader) {
        self.init(
            id: row.id,
            number: row.number,
            createdAt: row.at,
            app: row.app,
            actor: row.actor,
            role: row.role?.rawValue.uppercased(),
            action: row.action,
            objectType: row.objectType,
            objectId: row.objectID,
            before: JSONValue(text: row.before?.shown(to: reader)),
            after: JSONValue(text: row.after?.shown(to: reader)),
            reason: row.reason?.shown(to: reader),
            requestId: row.requestID,
            address: row.address?.shown(to: reader),
            hash: row.hash?.hexadecimal
        )
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("id", id)
            json.name("number")
            json.literal(number.map { String($0) } ?? "null")
            json.field("createdAt", createdAt)
            json.field("app", app)
            json.field("actor", actor)
            json.field("role", role)
            json.field("action", action)
            json.field("objectType", objectType)
            json.field("objectId", objectId)
            json.field("before", before)
            json.field("after", after)
            json.field("reason", reason)
            json.field("requestId", requestId)
            json.field("address", address)
            json.field("hash", hash)
        }
    }
}

extension AuditPage {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.name("entries")
            json.array(entries) { json, entry in entry.write(to: &json) }
            json.field("next", next)
        }
    }
}
