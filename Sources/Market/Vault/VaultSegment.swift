package import Keys

/// A sealed part of one device's log in a vault.
///
/// Homes read its account, device and numbers, and nothing else. The numbers of a log rise. `base`
/// is the first number that the log still needs: a later segment contains the remains of earlier
/// ones. The device signs every segment that leaves its node, so that no other one can write its
/// log.
///
/// Source: Docs/protocol.md, section 15.
package struct VaultSegment: Hashable, Sendable {
    /// The form without a signature, of a log that stays on its node.
    private static let unsignedVersion: UInt8 = 1
    private static let signedVersion: UInt8 = 2
    /// No log becomes so long; a greater number would leave no room for later ones.
    package static let numberMax: UInt64 = 1 << 48
    /// The maximum length of the entries before they are sealed, padding counted.
    package static let contentByteCountMax = 32_768
    package static let byteCountMax =
        headerByteCount + VaultKey.overheadBytes + contentByteCountMax + Signature.byteCount

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
        guard version == Self.unsignedVersion || version == Self.signedVersion else {
            throw .version(version)
        }
        let isSigned = version == Self.signedVersion
        let least =
            Self.headerByteCount + VaultKey.overheadBytes + (isSigned ? Signature.byteCount : 0)
        guard (least...Self.byteCountMax).contains(bytes.count) else { throw .malformed }
        var reader = VaultReader(bytes[1..<Self.headerByteCount])
        guard let account = Address(try reader.bytes(Address.byteCount)) else { throw .malformed }
        self.account = account
        device = try reader.bytes32()
        number = try reader.number(byteCount: 8)
        base = try reader.number(byteCount: 8)
        guard base >= 1, base <= number, number <= Self.numberMax else { throw .malformed }
        self.bytes = bytes
    }

    /// Seals entries, which must be sorted by section and name and fit into one segment.
    ///
    /// - Parameters:
    ///   - part: The entries, and their position in the log.
    ///   - account: The account that the vault belongs to.
    ///   - network: The network's name.
    ///   - key: The vault's key.
    ///   - signer: The device's key; `nil` for a log that stays on its node.
    package init(
        _ part: VaultLog.Part,
        of account: Address,
        network: String,
        key: VaultKey,
        signer: PrivateKey?
    ) {
        (self.account, device) = (account, part.device)
        (number, base) = (part.number, part.base)
        let version = signer == nil ? Self.unsignedVersion : Self.signedVersion
        var header = [version] + account.bytes + part.device.bytes
        header.append(part.number, byteCount: 8)
        header.append(part.base, byteCount: 8)
        let content = VaultCoding.bytes(of: part.entries)
        precondition(content.count <= Self.contentByteCountMax, "a log splits what is longer")
        let sealed = header + key.seal(content, aad: Self.context(network, header[...]))
        bytes = sealed + (signer?.sign(sealed, as: .vault).bytes ?? [])
    }

    private var signatureByteCount: Int {
        bytes.first == Self.signedVersion ? Signature.byteCount : 0
    }

    /// Whether the device signed it.
    package var isSigned: Bool {
        guard signatureByteCount > 0,
            let signature = Signature(bytes.suffix(Signature.byteCount)),
            let signer = signature.signer(
                of: SignatureTag.vault.hash(Array(bytes.dropLast(Signature.byteCount)))
            )
        else { return false }
        return DeviceCertificate.slot(of: signer) == device
    }

    /// Opens the segment.
    ///
    /// - Throws: ``VaultFault/notOpened``; ``VaultFault`` for entries that break a rule.
    package func open(with key: VaultKey, network: String) throws(VaultFault) -> [VaultEntry] {
        let header = bytes[..<Self.headerByteCount]
        let content: [UInt8]
        do {
            let sealed = bytes[Self.headerByteCount...].dropLast(signatureByteCount)
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
