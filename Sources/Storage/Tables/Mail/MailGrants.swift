package import Keys
import Market

/// By account and device, the secret that the keys of the device's grants follow from.
enum MailGrants: Table {
    typealias Key = Pair<Address, Bytes32>
    typealias Value = Bytes32
    static let name = "mail-grants"
}

/// Ids of grants that have ended, by account and the device that said so.
enum EndedGrants: Table {
    typealias Key = Pair<Pair<Address, Bytes32>, Bytes32>
    typealias Value = Nothing
    static let name = "ended-grants"
}

extension WriteTransaction {
    /// Keeps a device's grants, in place of those that it named before.
    ///
    /// - Returns: `false`, and nothing is kept, if the account's devices name more ended grants
    ///   than allowed.
    package mutating func putGrants(
        _ secret: Bytes32,
        ended: [Bytes32],
        of account: Address,
        device: Bytes32,
        limits: Limits = Limits()
    ) throws -> Bool {
        let key = Pair(account, device)
        var count = ended.count
        try scanKeys(EndedGrants.self, .prefix(account)) { ended in
            if ended.first != key { count += 1 }
            return count <= limits.endedGrantsMax
        }
        guard count <= limits.endedGrantsMax else { return false }
        try remove(EndedGrants.self, .prefix(key))
        try put(MailGrants.self, key, secret)
        for id in ended { try put(EndedGrants.self, Pair(key, id), Nothing()) }
        return true
    }

    /// Forgets all that an account's devices said of grants.
    package mutating func removeGrants(of account: Address) throws {
        try remove(MailGrants.self, .prefix(account))
        try remove(EndedGrants.self, .prefix(account))
    }
}

extension Reading where Self: ~Copyable {
    /// The secrets under which a grant of the account may be; none if a device has ended it.
    package func grantSecrets(
        for id: Bytes32,
        of account: Address
    ) throws -> [(device: Bytes32, secret: Bytes32)] {
        var found: [(Bytes32, Bytes32)] = []
        try scan(MailGrants.self, .prefix(account)) { key, secret in
            found.append((key.second, secret))
            return true
        }
        for (device, _) in found
        where try contains(EndedGrants.self, Pair(Pair(account, device), id)) {
            return []
        }
        return found
    }
}
