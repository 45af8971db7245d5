package import Keys
package import Market

/// Private halves of this node's own prekeys: account, device and the prekey's id.
package enum Prekeys: Table {
    package typealias Key = CompositeKey<CompositeKey<Address, Bytes32>, UInt32>
    package typealias Value = PrekeyEntry
    package static let name = "prekeys"
}

/// The newest prekey bundle of each device, of own and homed accounts.
enum PrekeyBundles: Table {
    typealias Key = CompositeKey<Address, Bytes32>
    typealias Value = PrekeyBundleEntry
    static let name = "prekey-bundles"
}

/// Leases by which homes keep mail: account and home, to the signed lease.
package enum HomeLeases: Table {
    package typealias Key = CompositeKey<Address, PeerID>
    package typealias Value = [UInt8]
    package static let name = "home-leases"
}

/// A prekey of this node's own; only its private half is sealed.
package struct PrekeyEntry: TableValue, Equatable {
    package let madeAt: Timestamp
    package let validUntil: Timestamp
    package let isLastResort: Bool
    /// The private half, sealed by its account.
    package let seed: [UInt8]

    package init(madeAt: Timestamp, validUntil: Timestamp, isLastResort: Bool, seed: [UInt8]) {
        (self.madeAt, self.validUntil) = (madeAt, validUntil)
        (self.isLastResort, self.seed) = (isLastResort, seed)
    }

    package var storedByteCount: Int { 17 + seed.count }

    package func write(to writer: inout ByteWriter) {
        writer.write(madeAt, validUntil, UInt8(isLastResort ? 1 : 0), seed)
    }

    package init(from reader: inout ByteReader) throws(FormError) {
        let flag: UInt8
        (madeAt, validUntil, flag) = try (reader.read(), reader.read(), reader.read())
        isLastResort = flag != 0
        seed = reader.readRest()
    }
}

/// A bundle as its device signed it.
struct PrekeyBundleEntry: TableValue {
    let createdAt: Timestamp
    let bytes: [UInt8]

    init(createdAt: Timestamp, bytes: [UInt8]) {
        (self.createdAt, self.bytes) = (createdAt, bytes)
    }

    var storedByteCount: Int { 8 + bytes.count }

    func write(to writer: inout ByteWriter) { writer.write(createdAt, bytes) }

    init(from reader: inout ByteReader) throws(FormError) {
        createdAt = try reader.read()
        bytes = reader.readRest()
    }
}

extension WriteTransaction {
    /// Stores the bundle of a certified device if it is newer than the stored one.
    ///
    /// A bundle dated after `newestMax`, ahead of any honest clock, is never stored. If one is
    /// stored, any bundle dated earlier than that replaces it.
    ///
    /// - Returns: Whether it is kept now.
    package mutating func putPrekeyBundle(
        _ bytes: [UInt8],
        of account: Address,
        device: Bytes32,
        createdAt: Timestamp,
        newestMax: Timestamp
    ) throws -> Bool {
        if createdAt > newestMax { return false }
        guard try deviceKey(device, of: account) != nil else { return false }
        let key = CompositeKey(account, device)
        if let held = try get(PrekeyBundles.self, key), held.createdAt >= createdAt,
            held.createdAt <= newestMax
        {
            return false
        }
        try put(PrekeyBundles.self, key, PrekeyBundleEntry(createdAt: createdAt, bytes: bytes))
        return true
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The newest bundle of each of an account's devices, the latest certified first.
    package func prekeyBundles(of account: Address) throws -> [(device: Bytes32, bytes: [UInt8])] {
        try devices(of: account).compactMap { device in
            try get(PrekeyBundles.self, CompositeKey(account, device.slot)).map {
                (device.slot, $0.bytes)
            }
        }
    }
}
