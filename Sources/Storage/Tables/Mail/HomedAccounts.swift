package import Keys
package import Market

/// Guests whose mail this node stores, by account, with the origin of the request for the lease.
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
    /// Records that the account has a lease here that was requested from `origin`; an account that
    /// already has a lease stays counted at its old origin.
    ///
    /// - Returns: Whether there is room, in all and for the origin.
    package mutating func addHomed(
        _ account: Address,
        from origin: Bytes32
    ) throws -> Bool {
        if try contains(HomedAccounts.self, account) { return true }
        let ofOrigin = try get(HomedOrigins.self, origin) ?? 0
        guard try count(HomedAccounts.self) < limits.homedAccountsMax,
            ofOrigin < limits.leasesPerOriginMax
        else { return false }
        try put(HomedAccounts.self, account, origin)
        try put(HomedOrigins.self, origin, ofOrigin + 1)
        return true
    }

    /// Removes a lease that has ended, and if it was of `home`, which is this node, all that was
    /// kept by it; of an account of this node the lease alone.
    ///
    /// A lease that was renewed after it was found to have ended stays.
    ///
    /// - Returns: Whether it is done; call again if not.
    package mutating func removeLease(
        of account: Address,
        at peer: PeerID,
        home: PeerID,
        endedAt now: Timestamp
    ) throws -> Bool {
        let key = CompositeKey(account, peer)
        guard let bytes = try get(HomeLeases.self, key) else { return true }
        if let lease = HomeLease(bytes: bytes), lease.until > now { return true }
        if peer == home, try !contains(AccountEntries.self, account) {
            let waiting = try keys(Envelopes.self, .prefix(account), limit: limits.sweepEntriesMax)
            for key in waiting { _ = try removeEnvelope(key) }
            if waiting.count == limits.sweepEntriesMax { return false }
            try removeDeviceMail(of: account)
            try removeVault(of: account)
            try removeHomed(account)
        }
        try remove(HomeLeases.self, key)
        return true
    }

    /// Removes an account's entry as a guest, once its lease has ended.
    package mutating func removeHomed(_ account: Address) throws {
        guard let origin = try get(HomedAccounts.self, account) else { return }
        try uncountVault(of: account)
        // Of an account of this node they are its own.
        if try !contains(AccountEntries.self, account) { try unpinMedia(of: account) }
        try remove(HomedAccounts.self, account)
        try releaseKept(of: account)
        let left = max(1, try get(HomedOrigins.self, origin) ?? 1) - 1
        if left == 0 {
            try remove(HomedOrigins.self, origin)
        } else {
            try put(HomedOrigins.self, origin, left)
        }
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// The number of guests.
    package func homedCount() throws -> Int { try count(HomedAccounts.self) }

    /// How many of them came from one origin.
    package func homedCount(from origin: Bytes32) throws -> Int {
        Int(try get(HomedOrigins.self, origin) ?? 0)
    }
}
