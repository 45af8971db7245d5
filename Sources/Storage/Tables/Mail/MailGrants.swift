package import Keys

/// By account and device, the device's statement about its account's grants.
enum MailGrants: Table {
    typealias Key = CompositeKey<Address, Bytes32>
    typealias Value = DeviceGrants
    static let name = "mail-grants"
}

/// One device's statement about its account's grants.
struct DeviceGrants: TableValue {
    /// The secret from which the grants' keys are derived.
    let secret: Bytes32
    /// Ids of grants that have ended.
    let ended: [Bytes32]

    init(secret: Bytes32, ended: [Bytes32]) { (self.secret, self.ended) = (secret, ended) }

    var storedByteCount: Int { 32 + 32 * ended.count }

    func write(to writer: inout ByteWriter) {
        writer.write(secret)
        for id in ended { writer.write(id) }
    }

    init(from reader: inout ByteReader) throws(FormError) {
        secret = try reader.read()
        var ended: [Bytes32] = []
        while reader.remaining > 0 { ended.append(try reader.read()) }
        self.ended = ended
    }
}

/// The outcome of a device's statement about its account's grants.
package enum GrantsOutcome: Equatable, Sendable {
    case kept
    /// The account's devices name more ended grants than allowed.
    case tooManyEnded
    /// The device is not certified, or no longer certified.
    case unknownDevice
}

extension WriteTransaction {
    /// Stores a certified device's grants, replacing those that it named before.
    package mutating func putGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: Bytes32
    ) throws -> GrantsOutcome {
        guard try deviceKey(device, of: account) != nil else { return .unknownDevice }
        let others = try deviceGrants(of: account).filter { $0.device != device }
        let count = others.reduce(ended.count) { $0 + $1.grants.ended.count }
        guard count <= limits.endedGrantsMax else { return .tooManyEnded }
        let grants = DeviceGrants(secret: secret, ended: ended)
        try put(MailGrants.self, CompositeKey(account, device), grants)
        return .kept
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The secrets to which a grant of the account may belong; none if a device has ended it.
    package func grantSecrets(
        for id: Bytes32,
        of account: Address
    ) throws -> [(device: Bytes32, secret: Bytes32)] {
        let held = try deviceGrants(of: account)
        if held.contains(where: { $0.grants.ended.contains(id) }) { return [] }
        return held.map { ($0.device, $0.grants.secret) }
    }

    /// The facts that each device stated: as many rows as the account has certified devices.
    fileprivate func deviceGrants(
        of account: Address
    ) throws -> [(device: Bytes32, grants: DeviceGrants)] {
        try entries(MailGrants.self, .prefix(account)).map { ($0.key.second, $0.value) }
    }
}
