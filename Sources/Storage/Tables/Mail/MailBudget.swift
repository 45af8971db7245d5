package import Keys

/// How the budget of one class of mail is shared.
///
/// Half is for local accounts and half for guests, so that neither can use the other's room. Half
/// of each half is first come, first served, but guests leased from one origin can use at most a
/// sixteenth of it. The other half is divided into one guaranteed share for each account that the
/// node may have. So the sum never exceeds the budget, and no flood at some accounts leaves another
/// without room.
struct MailBudget {
    /// The half for one kind of account, local or guest.
    let halfMax: UInt64
    /// The part of it for the first to ask.
    let commonMax: UInt64
    /// The part of that for leases from one origin.
    let originMax: UInt64

    init(bytesMax: UInt64) {
        halfMax = bytesMax / 2
        commonMax = halfMax / 2
        originMax = commonMax / 16
    }

    /// The guaranteed share of each of `accounts` accounts.
    func share(of accounts: Int) -> UInt64 { (halfMax - commonMax) / UInt64(max(1, accounts)) }
}

extension StoreLimits {
    /// The bytes that a lease promises to keep for one account while there is room.
    package var leaseBytesMax: UInt64 {
        min(recipientBytesMax, MailBudget(bytesMax: contactsBytesMax).originMax)
    }
}

extension ReadableTransaction where Self: ~Copyable {
    /// By what right the account's mail is kept here; `nil` if it is not.
    func mailHost(of account: Address) throws -> MailHost? {
        if try contains(AccountEntries.self, account) { return .own }
        return try get(HomedAccounts.self, account).map { .leased(origin: $0) }
    }

    /// Whether the budget has room for one more envelope, of `weight`, for an account to which
    /// `held` of the class waits already.
    func hasBudget(
        for kind: MailClass,
        _ weight: UInt64,
        _ host: MailHost,
        held: UInt64
    ) throws -> Bool {
        let budget = MailBudget(bytesMax: kind.bytesMax(limits))
        let all = try load(kind.all(isOwn: host == .own)).bytes
        guard all + weight <= budget.halfMax else { return false }
        // Of the maximum number, so that a late one has its share as well.
        let accounts: Int
        var isInCommon = all + weight <= budget.commonMax
        switch host {
        case .own: accounts = limits.accountsMax
        case .leased(let origin):
            accounts = limits.homedAccountsMax
            let ofOrigin = try load(kind.leases(from: origin)).bytes
            isInCommon = isInCommon && ofOrigin + weight <= budget.originMax
        }
        return isInCommon || held + weight <= budget.share(of: accounts)
    }

    /// How much of the room for strangers' mail to an account is taken, which determines its price:
    /// of the account's own part, or of the common part of all such accounts if that is fuller.
    ///
    /// 100 if the account's own part is full; the common part alone never fills it.
    package func strangersPercent(
        of account: Address
    ) throws -> Int {
        let waiting = try load(MailUsage.strangers(of: account))
        let isOwn = try mailHost(of: account) == .own
        let all = try load(MailClass.strangers.all(isOwn: isOwn)).bytes
        let budget = MailBudget(bytesMax: limits.allStrangersBytesMax)
        let ofAccount = max(
            waiting.envelopes * 100 / max(1, limits.strangersEnvelopesMax),
            waiting.bytes * 100 / max(1, limits.strangersBytesMax)
        )
        return Int(max(ofAccount, min(99, all * 100 / max(1, budget.commonMax))))
    }

    /// How much of what strangers' mail from one origin may take is taken: of its share at this
    /// account, or of its share at all accounts if that is fuller.
    package func strangersPercent(of account: Address, from origin: Bytes32) throws -> Int {
        let here = try load(MailUsage.origin(origin, to: account))
        let inAll = try load(MailUsage.origin(origin))
        return Int(
            max(
                here.envelopes * 100 / max(1, limits.originEnvelopesMax),
                here.bytes * 100 / max(1, limits.originBytesMax),
                inAll.envelopes * 100 / max(1, limits.depositorEnvelopesMax),
                inAll.bytes * 100 / max(1, limits.depositorBytesMax)
            )
        )
    }

    /// Mail under grants, and of strangers, that waits for an account.
    package func mailLoads(
        of account: Address
    ) throws -> (contacts: MailLoad, strangers: MailLoad) {
        (try load(MailUsage.contacts(of: account)), try load(MailUsage.strangers(of: account)))
    }

    /// All waiting mail: under grants, and from strangers.
    package func mailLoads() throws -> (contacts: MailLoad, strangers: MailLoad) {
        func all(_ kind: MailClass) throws -> MailLoad {
            try load(kind.all(isOwn: true)) + load(kind.all(isOwn: false))
        }
        return (try all(.contacts), try all(.strangers))
    }

    func load(_ quota: MailUsage.Key) throws -> MailLoad {
        try get(MailUsage.self, quota) ?? MailLoad()
    }
}
