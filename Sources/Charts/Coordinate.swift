/// A position or a length in a drawing, in tenths of its unit: whole numbers, so that a drawing is the same everywhere.
package struct Coordinate: Sendable, Hashable, Comparable, AdditiveArithmetic, ExpressibleByIntegerLiteral {
    package let tenths: Int

    package init(tenths: Int) {
        self.tenths = tenths
    }

    package init(integerLiteral value: Int) {
        tenths = value * 10
    }

    package static func + (left: Self, right: Self) -> Self { Self(tenths: left.tenths + right.tenths) }

    package static func - (left: Self, right: Self) -> Self { Self(tenths: left.tenths - right.tenths) }

    package static func < (left: Self, right: Self) -> Bool { left.tenths < right.tenths }

    package static func * (left: Self, right: Int) -> Self { Self(tenths: left.tenths * right) }

    package static func / (left: Self, right: Int) -> Self { Self(tenths: left.tenths / right) }
}

/// As SVG reads it: "146.3", "-4", "0".
extension Coordinate: CustomStringConvertible {
    package var description: String {
        let (whole, tenth) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        let sign = tenths < 0 ? "-" : ""
        return tenth == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(tenth)"
    }
}
