/// What the dashboard's pages show, one function per page; each is a few statements that may run beside each other.
package struct Screens: Sendable {
    let reader: Reader
}

extension Reader {
    package var screens: Screens { Screens(reader: self) }
}
