import Operations
import Yams

/// The keys of a catalogue file that nothing reads, each with its line and the key that was probably meant.
struct UnknownKeys {
    private var found: [(line: Int, path: String, known: [String])] = []

    /// - Throws: `OperationsError` with `.invalid` that names all of them, or a key that is there twice.
    static func check(_ yaml: String, of file: String, against keys: FileKeys) throws {
        var unknown = UnknownKeys()
        do {
            guard let root = try compose(yaml: yaml) else { return }
            unknown.look(at: root, keys, path: "")
        } catch YamlError.duplicatedKeysInMapping(let keys, let context) {
            let names = keys.map(Self.shown).sorted().joined(separator: ", ")
            throw OperationsError(.invalid, "\(file):\(context.mark.line): \(names) is there twice.", field: keys.first)
        }
        guard let first = unknown.found.first else { return }
        throw OperationsError(.invalid, unknown.text(of: file), field: first.path)
    }

    private mutating func look(at node: Node, _ keys: FileKeys, path: String) {
        switch (node, keys) {
        case (.mapping(let mapping), .keys(let known)):
            for (key, value) in mapping {
                let name = key.string ?? ""
                let path = path.isEmpty ? Self.shown(name) : "\(path).\(Self.shown(name))"
                if let keys = known[name] {
                    look(at: value, keys, path: path)
                } else if name == Self.merge {
                    merged(value, .keys(known), path: path)
                } else {
                    found.append((key.mark?.line ?? 0, path, known.keys.sorted()))
                }
            }
        case (.mapping(let mapping), .names(let keys)):
            for (key, value) in mapping {
                let name = Self.shown(key.string ?? "")
                look(at: value, keys, path: path.isEmpty ? name : "\(path).\(name)")
            }
        case (.sequence(let sequence), .list(let keys)):
            for (index, value) in sequence.enumerated() { look(at: value, keys, path: "\(path)[\(index)]") }
        case (.scalar, _), (.alias, _), (.mapping, _), (.sequence, _): break
        }
    }

    /// The mappings that YAML's merge key takes in: one, or a list.
    private mutating func merged(_ node: Node, _ keys: FileKeys, path: String) {
        if case .sequence(let sequence) = node {
            for value in sequence { look(at: value, keys, path: path) }
        } else {
            look(at: node, keys, path: path)
        }
    }

    private func text(of file: String) -> String {
        let lines = found.prefix(Self.most).map { line, path, known in
            let name = path.split(separator: ".").last.map(String.init) ?? path
            let meant =
                NearestName.of(name, among: known).map { "the nearest is \($0)" }
                ?? "known here are \(known.joined(separator: ", "))"
            return "\(file):\(line): \(path) is no setting (\(meant))"
        }
        let more = found.count - lines.count
        return (lines + (more > 0 ? ["\(more) more are unknown"] : [])).joined(separator: "; ") + "."
    }

    private static let merge = "<<"
    private static let most = 20

    /// A key as far as it is fit to repeat.
    private static func shown(_ key: String) -> String {
        String(key.prefix(64).map { $0.isLetter || $0.isNumber || "_-.<".contains($0) ? $0 : "?" })
    }
}
