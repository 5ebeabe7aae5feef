package import Foundation
import HTTP
import Operations
import Storage

extension StaffRequest: PersonalDataReader {
    /// True where names and e-mail addresses may be shown.
    package var seesPersonalData: Bool { session.role.may(.viewPersonalData) }

    /// The app's business time zone.
    package var zone: TimeZone { TimeZone(identifier: app.timeZone) ?? .gmt }
}
