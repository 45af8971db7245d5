package import Keys

/// A sealed part of one device's log in a vault.
///
/// Homes read its account, device and numbers, and nothing else. The numbers of a log rise. `base`
/// is the first number that the log still needs: a later segment contains what is left of the
/// segments before it.
///
/// Source: Docs/protocol.md, section 15.
package struct VaultSegment: Hashable, Sendable {
    package static let version: UInt8 = 1
    /// The maximum length of the entries before they are sealed, padding counted.
    package static let contentByteCountMax = 32_768
    package static let byteCountMax =
        headerByteCount + VaultKey.overheadBytes + contentByteCountMax

    private static let headerByteCount = 1 + 20 + 32 + 8 + 8

    package let account: Address
    package let device: Bytes32
    package let number: UInt64
    package let base: UInt64
    /// The whole segment, as it is stored and sent.
    package let bytes: [UInt8]

    /// Reads a segment without opening it.
    ///
    /// - Throws: ``VaultFault/malformed``, ``VaultFault/version(_:)``.
    package init(_ bytes: [UInt8]) throws(VaultFault) {
        guard let version = bytes.first else { throw .malformed }
        guard version == Self.version else { throw .version(version) }
        let least = Self.headerByteCount + VaultKey.overheadBytes
        guard (least...Self.byteCountMax).contains(bytes.count) else { throw .malformed }
        var reader = VaultReader(bytes[1..<Self.headerByteCount])
        guard let account = Address(try reader.bytes(Address.byteCount)) else { throw .malformed }
        self.account = account
        device = try reader.bytes32()
        number = try reader.number(byteCount: 8)
        base = try reader.number(byteCount: 8)
        guard base >= 1, base <= number else { throw .malformed }
        self.bytes = bytes
    }

    /// Seals entries, which must be sorted by section and name and fit into one segment.
    package init(
        _ part: VaultLog.Part,
        of account: Address,
        network: String,
        key: VaultKey
    ) {
        (self.account, device) = (account, part.device)
        (number, base) = (part.number, part.base)
        var header = [Self.version] + account.bytes + part.device.bytes
        header.append(part.number, byteCount: 8)
        header.append(part.base, byteCount: 8)
        let content = VaultCoding.bytes(of: part.entries)
        precondition(content.count <= Self.contentByteCountMax, "a log splits what is longer")
        bytes = header + key.seal(content, aad: Self.context(network, header[...]))
    }

    /// Opens the segment.
    ///
    /// - Throws: ``VaultFault/notOpened``; ``VaultFault`` for entries that break a rule.
    package func open(with key: VaultKey, network: String) throws(VaultFault) -> [VaultEntry] {
        let header = bytes[..<Self.headerByteCount]
        let content: [UInt8]
        do {
            let sealed = bytes[Self.headerByteCount...]
            content = try key.open(sealed, aad: Self.context(network, header))
        } catch {
            throw .notOpened
        }
        return try VaultCoding.entries(content)
    }

    private static func context(_ network: String, _ header: ArraySlice<UInt8>) -> [UInt8] {
        Array("Stoa:vault/1\0\(network)\0".utf8) + header
    }
}
