package import Keys
import Market

/// Accounts of others whose mail this node keeps, by whose address they asked for it from.
enum HomedAccounts: Table {
    typealias Key = Address
    typealias Value = Bytes32
    static let name = "homed-accounts"
}

/// How many of them came from one origin.
enum HomedOrigins: Table {
    typealias Key = Bytes32
    typealias Value = UInt32
    static let name = "homed-origins"
}

extension WriteTransaction {
    /// Notes that the account has a lease here that was asked for from `origin`; one that has a
    /// lease already stays counted where it was.
    ///
    /// - Returns: Whether there is room, in all and for the origin.
    package mutating func addHomed(
        _ account: Address,
        from origin: Bytes32,
        leasesMax: Int,
        limits: Limits = Limits()
    ) throws -> Bool {
        if try contains(HomedAccounts.self, account) { return true }
        let ofOrigin = try get(HomedOrigins.self, origin) ?? 0
        guard try count(HomedAccounts.self) < leasesMax, ofOrigin < limits.leasesPerOriginMax
        else { return false }
        try put(HomedAccounts.self, account, origin)
        try put(HomedOrigins.self, origin, ofOrigin + 1)
        return true
    }

    /// Notes that the account's lease has ended.
    package mutating func removeHomed(_ account: Address) throws {
        guard let origin = try get(HomedAccounts.self, account) else { return }
        try remove(HomedAccounts.self, account)
        let left = max(1, try get(HomedOrigins.self, origin) ?? 1) - 1
        if left == 0 {
            try remove(HomedOrigins.self, origin)
        } else {
            try put(HomedOrigins.self, origin, left)
        }
    }
}

extension Reading where Self: ~Copyable {
    /// Accounts of others whose mail is kept here.
    package func homedCount() throws -> Int { try count(HomedAccounts.self) }

    /// How many of them came from one origin.
    package func homedCount(from origin: Bytes32) throws -> Int {
        Int(try get(HomedOrigins.self, origin) ?? 0)
    }
}
