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

    init(wire: WireMedia, _ field: PayloadField) throws(RuleFault) {
        guard let id = Bytes32(wire.id), wire.length > 0 else { throw .malformed(field) }
        guard wire.length <= Self.byteCountMax else {
            throw .tooLong(field, byteCountMax: Int(Self.byteCountMax))
        }
        let form: Form =
            switch wire.type {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            case .pdf: .pdf
            case .unspecified, .UNRECOGNIZED: throw .malformed(field)
            }
        self.init(id: id, byteCount: wire.length, form: form)
    }

    /// Reads a list without duplicate files.
    static func list(
        _ wire: [WireMedia],
        _ field: PayloadField,
        countMax: Int
    ) throws(RuleFault) -> [Media] {
        guard wire.count <= countMax else { throw .tooMany(field, countMax: countMax) }
        var list: [Media] = []
        for media in wire { list.append(try Media(wire: media, field)) }
        guard !list.map(\.id).hasRepeats else { throw .repeated(field) }
        return list
    }

    var wire: WireMedia {
        var wire = WireMedia()
        wire.id = id.data
        wire.length = byteCount
        wire.type =
            switch form {
            case .jpeg: .jpeg
            case .png: .png
            case .webp: .webp
            case .pdf: .pdf
            // No reader takes it.
            case .sealed: .unspecified
            }
        return wire
    }
}
