/// What the dashboard's pages show, one function per page; each is a few statements that may run beside each other.
package struct Queries: Sendable {
    let reader: Reader
}

extension Reader {
    package var screens: Queries { Queries(reader: self) }
}
