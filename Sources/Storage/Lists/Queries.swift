/// The queries of the dashboard's pages, one function per page; each is a few statements that may run concurrently.
package struct Queries: Sendable {
    let reader: Reader
}

extension Reader {
    package var screens: Queries { Queries(reader: self) }
}
