extension Scope {
    /// The Swift arguments of a call, one for each parameter, in the order declared.
    func arguments(of call: Call, for signature: Signature, in source: TemplateSource) throws(TemplateError) -> [String]
    {
        var given: [String: Argument] = [:]
        for (index, argument) in call.arguments.enumerated() {
            let name = try parameterName(of: argument, at: index, for: signature, in: source)
            guard given.updateValue(argument, forKey: name) == nil else {
                throw source.error(at: argument.offset, "`\(name)` is given twice")
            }
        }
        var arguments: [String] = []
        for parameter in signature.parameters {
            let value =
                if let argument = given[parameter.name] {
                    try swift(for: argument, in: source)
                } else {
                    try omitted(parameter, of: call, for: signature, in: source)
                }
            arguments.append("\(parameter.name): \(value)")
        }
        return arguments
    }

    /// The words of a key: a property, or a function whose parameters are in the order of the alphabet.
    func swift(for saying: Saying, in source: TemplateSource) throws(TemplateError) -> String {
        var arguments: [String] = []
        for argument in saying.arguments.sorted(by: { ($0.label ?? "") < ($1.label ?? "") }) {
            arguments.append("\(argument.label ?? ""): \(try swift(for: argument, in: source))")
        }
        let name = Self.accessor(for: saying.key)
        return arguments.isEmpty ? name : "\(name)(\(arguments.joined(separator: ", ")))"
    }

    /// `orders.no_match` is called `ordersNoMatch`, as the compiler of the languages calls it.
    private static func accessor(for key: Path) -> String {
        let parts = key.names.joined(separator: "_").split(separator: "_")
        let rest = parts.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (parts.prefix(1).map(String.init) + rest).joined()
    }

    private func parameterName(
        of argument: Argument,
        at index: Int,
        for signature: Signature,
        in source: TemplateSource
    ) throws(TemplateError) -> String {
        let parameters = signature.parameters.map(\.name)
        if let label = argument.label {
            guard parameters.contains(label) else {
                let known = parameters.isEmpty ? "none" : parameters.joined(separator: ", ")
                throw source.error(
                    at: argument.offset,
                    "`\(signature.name)` has no parameter `\(label)`; there are: \(known)"
                )
            }
            return label
        }
        guard index < parameters.count else {
            throw source.error(at: argument.offset, "`\(signature.name)` takes \(parameters.count) arguments")
        }
        return parameters[index]
    }

    private func swift(for argument: Argument, in source: TemplateSource) throws(TemplateError) -> String {
        switch argument.value {
        case .literal(let literal): return literal
        case .path(let path, let negated):
            let (prefix, code) = try swift(for: path, in: source)
            return (negated ? "!" : "") + prefix + code
        }
    }

    /// Returns the Swift of an omitted argument, which has the parameter's own name.
    private func omitted(
        _ parameter: Parameter,
        of call: Call,
        for signature: Signature,
        in source: TemplateSource
    ) throws(TemplateError) -> String {
        guard hasPage || locals.contains(parameter.name) else {
            throw source.error(at: call.offset, "`\(signature.name)` needs the argument `\(parameter.name)`")
        }
        let (prefix, code) = try swift(for: Path(names: [parameter.name], offset: call.offset), in: source)
        return prefix + code
    }
}
