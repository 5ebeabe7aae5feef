import HTTP
import Foundation
import Operations
import Storage

extension StaffRequest: PersonalDataReader {
    /// Whether names and e-mail addresses may be shown.
    var seesPersonalData: Bool { session.role.may(.viewPersonalData) }

    /// The app's business time zone.
    var zone: TimeZone { TimeZone(identifier: app.timeZone) ?? .gmt }
}
