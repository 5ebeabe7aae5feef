import APITypes
import Foundation
import HTTP
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
}
