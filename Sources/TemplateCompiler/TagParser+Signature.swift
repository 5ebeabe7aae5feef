extension TagParser {
    /// `name(parameter: Type, …)`.
    mutating func signature() throws(TemplateError) -> Signature {
        let declared = try localName()
        try expect("(")
        var parameters: [Parameter] = []
        while peek() != UInt8(ascii: ")") {
            skipSpace()
            let start = position
            let parameter = try localName()
            try expect(":")
            parameters.append(Parameter(name: parameter, type: try type(), offset: start))
            guard take(",") else { break }
        }
        try expect(")")
        return Signature(name: declared, parameters: parameters)
    }

    /// Swift up to the comma or bracket that ends the parameter.
    private mutating func type() throws(TemplateError) -> String {
        skipSpace()
        let start = position
        var depth = 0
        scan: while position < end {
            switch source.bytes[position] {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "<"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"):
                if depth == 0 { break scan }
                depth -= 1
            case UInt8(ascii: ",") where depth == 0: break scan
            default: break
            }
            position += 1
        }
        guard position > start else { throw source.error(at: start, "expected a type") }
        return source.text(start..<position)
    }

    mutating func typeName() throws(TemplateError) -> String {
        try path().names.joined(separator: ".")
    }
}
