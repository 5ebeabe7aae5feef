extension HTMLRenderable where Self: FixedWidthInteger {
    package func write(into html: inout HTMLBuffer, as context: HTMLContext) {
        // Digits and a minus mean the same in every context. 64 bits have at most 20 digits.
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { digits in
            var start = digits.count
            var rest = magnitude
            repeat {
                let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
                start -= 1
                digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: remainder)
                rest = quotient
            } while rest != 0
            if self < 0 {
                start -= 1
                digits[start] = UInt8(ascii: "-")
            }
            html.append(UnsafeRawBufferPointer(rebasing: digits[start...]))
        }
    }
}

extension Int: HTMLRenderable {}
extension Int8: HTMLRenderable {}
extension Int16: HTMLRenderable {}
extension Int32: HTMLRenderable {}
extension Int64: HTMLRenderable {}
extension UInt: HTMLRenderable {}
extension UInt8: HTMLRenderable {}
extension UInt16: HTMLRenderable {}
extension UInt32: HTMLRenderable {}
extension UInt64: HTMLRenderable {}
