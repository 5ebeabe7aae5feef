/// The number of lists that may be on their way out as files.
///
/// A file is as slow as its reader, and holds a connection to the database meanwhile.
package struct ExportLimits: Sendable {
    package var perPerson = 2
    /// In this process.
    package var inTotal = 8

    package init() {}
}
