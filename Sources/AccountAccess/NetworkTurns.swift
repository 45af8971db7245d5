package import Keys

/// The order in which networks elsewhere have their turns: by subnet first, then by address.
///
/// Subnets without a turn so far come before those that had one, in the order of their first tries:
/// one that was refused and comes again keeps its order. The others come in the order of their last
/// turns; so do the addresses of one subnet.
///
/// Source: Docs/limits.md, section 3.2.
package struct NetworkTurns: Sendable {
    package static let subnetsMax = 32_768
    /// The addresses with a turn that are remembered of one subnet.
    package static let addressesMax = 8
    /// The successful sign-ins that are remembered, each account and subnet once.
    package static let knownMax = 1_024
    package static let accountKnownMax = 4

    private struct Subnet: Sendable {
        var hadTurn = false
        /// The number of its first try, or of its last turn.
        var number: UInt64
        /// The last addresses that had a turn, the latest last.
        var addresses: [CallerGroup] = []
    }

    private var subnets: [String: Subnet] = [:]
    /// The successful sign-ins, the latest last, and their subnets.
    private var known: [(account: Address, subnet: String)] = []
    private var knownSubnets: Set<String> = []
    private var lastNumber: UInt64 = 0

    package init() {}

    /// The number of subnets that are remembered.
    package var subnetCount: Int { subnets.count }
    /// The number of successful sign-ins that are remembered.
    package var knownCount: Int { known.count }

    package mutating func noteTry(of caller: CallerGroup) {
        guard let name = caller.subnet, subnets[name] == nil else { return }
        lastNumber += 1
        subnets[name] = Subnet(number: lastNumber)
        makeRoom()
    }

    package mutating func noteTurn(of caller: CallerGroup) {
        guard let name = caller.subnet else { return }
        lastNumber += 1
        var subnet = subnets[name] ?? Subnet(number: lastNumber)
        (subnet.hadTurn, subnet.number) = (true, lastNumber)
        subnet.addresses.removeAll { $0 == caller }
        subnet.addresses.append(caller)
        if subnet.addresses.count > Self.addressesMax { subnet.addresses.removeFirst() }
        subnets[name] = subnet
        makeRoom()
    }

    /// Remembers that an account was opened from a subnet; an account has few, so that nobody makes
    /// many subnets known with one account.
    package mutating func noteSuccess(of caller: CallerGroup, on account: Address) {
        guard let name = caller.subnet else { return }
        known.removeAll { $0.account == account && $0.subnet == name }
        known.append((account, name))
        let own = known.count { $0.account == account }
        if own > Self.accountKnownMax,
            let oldest = known.firstIndex(where: { $0.account == account })
        {
            known.remove(at: oldest)
        }
        if known.count > Self.knownMax { known.removeFirst() }
        knownSubnets = Set(known.map(\.subnet))
    }

    /// Returns whether an account was opened from the caller's subnet.
    package func isKnown(_ caller: CallerGroup) -> Bool {
        caller.subnet.map { knownSubnets.contains($0) } ?? false
    }

    /// Returns the number of the first try of a subnet without a turn so far.
    package func firstTry(of caller: CallerGroup) -> UInt64? {
        guard let subnet = caller.subnet.flatMap({ subnets[$0] }), !subnet.hadTurn else {
            return nil
        }
        return subnet.number
    }

    /// Returns the order of the caller's subnet; the lowest is next.
    package func order(ofSubnetOf caller: CallerGroup) -> (Int, UInt64) {
        guard let subnet = caller.subnet.flatMap({ subnets[$0] }) else { return (0, .max) }
        return (subnet.hadTurn ? 1 : 0, subnet.number)
    }

    /// Returns the order of the caller among the addresses of its subnet; the lowest is next.
    package func order(inSubnetOf caller: CallerGroup) -> Int {
        caller.subnet.flatMap { subnets[$0]?.addresses.firstIndex(of: caller) } ?? -1
    }

    /// Forgets a quarter of the subnets, those with the oldest numbers.
    private mutating func makeRoom() {
        guard subnets.count > Self.subnetsMax else { return }
        let numbers = subnets.values.map(\.number).sorted()
        let oldest = numbers[numbers.count / 4]
        subnets = subnets.filter { $0.value.number >= oldest }
    }
}
