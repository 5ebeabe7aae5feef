package import Foundation

extension UUID: PostgresCodable {
    package static var postgresType: PostgresType { .uuid }

    package func encode(into bytes: inout [UInt8]) {
        Swift.withUnsafeBytes(of: uuid) { bytes.append(contentsOf: $0) }
    }

    package init(postgres cell: Cell) throws {
        guard cell.type == .uuid else { throw cell.mismatch("is no uuid") }
        self.init(uuid: try cell.withBytes { $0.loadUnaligned(as: uuid_t.self) })
    }
}

extension UUID: PostgresArrayElement {}
