package import Market

/// Bans of addresses, which a restart must not lift; the key is the address group's bytes.
enum AddressBans: Table {
    typealias Key = AddressGroupKey
    typealias Value = AddressBanEntry
    static let name = "address-bans"
}

/// The bytes of an address group: those of an IPv4 address, or the first eight of an IPv6 one.
struct AddressGroupKey: TableKey {
    let bytes: [UInt8]

    func write(to writer: inout ByteWriter) { writer.write(bytes) }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    init(from reader: inout ByteReader) { bytes = reader.readRest() }
}

/// The ban of an address.
package struct AddressBanEntry: TableValue, Equatable {
    package let until: Timestamp
    package let reason: String

    package init(until: Timestamp, reason: String) {
        (self.until, self.reason) = (until, reason)
    }

    package var storedByteCount: Int { 8 + 4 + reason.utf8.count }

    package func write(to writer: inout ByteWriter) {
        writer.write(until)
        writer.append(long: [UInt8](reason.utf8))
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        until = try reader.read()
        reason = String(decoding: try reader.readLong(), as: UTF8.self)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// All bans of addresses, in the order of the groups' bytes.
    package func addressBans() throws -> [(group: [UInt8], entry: AddressBanEntry)] {
        try entries(AddressBans.self, .all()).map { ($0.key.bytes, $0.value) }
    }
}

extension WriteTransaction {
    /// Replaces the ban of an address; `nil` lifts it.
    ///
    /// The peer book bounds how many there are.
    package mutating func putAddressBan(_ group: [UInt8], _ entry: AddressBanEntry?) throws {
        let key = AddressGroupKey(group)
        if let entry {
            try put(AddressBans.self, key, entry)
        } else {
            try remove(AddressBans.self, key)
        }
    }
}
