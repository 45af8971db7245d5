package import Keys

/// An image or a document, identified by the root of its hash tree.
package struct Media: Hashable, Sendable {
    /// The maximum size of a file, 15 MiB.
    package static let byteCountMax: UInt64 = 15_728_640

    /// The declared type of a file; readers check the file itself.
    package enum Form: Sendable {
        case jpeg, png, webp, pdf
        /// An encrypted digital work, which no record names.
        case sealed

        package var isImage: Bool {
            switch self {
            case .jpeg, .png, .webp: true
            case .pdf, .sealed: false
            }
        }
    }

    package let id: Bytes32
    package let byteCount: UInt64
    package let form: Form

    package init(id: Bytes32, byteCount: UInt64, form: Form) {
        (self.id, self.byteCount, self.form) = (id, byteCount, form)
    }

    static let wireSchema = WireSchema(.bytes, .uint64, .enumeration)
    /// By their number on the wire, from 1.
    private static let wireForms: [Form] = [.jpeg, .png, .webp, .pdf]

    init(wire: WireFields, _ field: PayloadField) throws(RuleFault) {
        let byteCount = wire.number(2)
        guard let id = Bytes32(wire.bytes(1)), byteCount > 0 else { throw .malformed(field) }
        guard byteCount <= Self.byteCountMax else {
            throw .tooLong(field, byteCountMax: Int(Self.byteCountMax))
        }
        guard let form = Self.wireForms[numbered: wire.number(3)] else { throw .malformed(field) }
        self.init(id: id, byteCount: byteCount, form: form)
    }

    /// Reads a list without duplicate files.
    static func list(
        _ wire: [WireFields],
        _ field: PayloadField,
        countMax: Int
    ) throws(RuleFault) -> [Media] {
        guard wire.count <= countMax else { throw .tooMany(field, countMax: countMax) }
        var list: [Media] = []
        for media in wire { list.append(try Media(wire: media, field)) }
        guard !list.map(\.id).hasRepeats else { throw .repeated(field) }
        return list
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, id.bytes)
        wire.write(2, byteCount)
        // No reader takes a sealed one.
        wire.write(3, Self.wireForms.number(of: form))
        return wire.bytes
    }
}
