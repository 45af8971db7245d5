package import Keys
package import Market

/// The hours that were left at an account's last reminder of a deadline, by account, sale and
/// deadline in seconds; 0 after the deadline.
package enum DeadlineNotices: Table {
    package typealias Key = CompositeKey<Address, CompositeKey<Bytes32, UInt64>>
    package typealias Value = UInt8
    package static let name = "deadline-notices"
}

extension ReadableTransaction where Self: ~Copyable {
    /// The hours that were left at an account's last notices, by sale and deadline.
    package func deadlineNotices(
        of account: Address
    ) throws -> [SaleID: [ChainTime: UInt8]] {
        var notices: [SaleID: [ChainTime: UInt8]] = [:]
        for (key, hours) in try entries(DeadlineNotices.self, .prefix(account)) {
            let deadline = ChainTime(seconds: key.second.second)
            notices[SaleID(key.second.first), default: [:]][deadline] = hours
        }
        return notices
    }
}

extension WriteTransaction {
    /// Records a reminder of a deadline, in the transaction that stores its event.
    ///
    /// - Returns: `false` if this reminder, or a later one, was already sent.
    package mutating func noteDeadline(
        _ deadline: ChainTime,
        of sale: SaleID,
        hoursLeft: UInt8,
        for account: Address
    ) throws -> Bool {
        let key = CompositeKey(account, CompositeKey(sale.hash, deadline.seconds))
        if let told = try get(DeadlineNotices.self, key), told <= hoursLeft { return false }
        try put(DeadlineNotices.self, key, hoursLeft)
        return true
    }
}
