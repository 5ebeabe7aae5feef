/// A part of an address that a page does not understand, and shows itself without.
package enum IgnoredParameter: Hashable, Sendable {
    case name(String)
    case value(String, of: String)
}
