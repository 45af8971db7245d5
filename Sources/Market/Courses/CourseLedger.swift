package import Keys

/// The state of a market's course contracts, their courses and debts: the fold of all their events.
///
/// Source: Docs/contracts.md, sections 3 and 12.
package struct CourseLedger: Sendable {
    /// An event of one of the contracts, decoded.
    package struct Event: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case course(CourseEvent)
            /// An account withdrew a credit to the address `to`.
            case withdrawn(ContractMoney.Credit, to: Address)
        }

        package let contract: Address
        package let content: Content

        package init(of contract: Address, _ content: Content) {
            (self.contract, self.content) = (contract, content)
        }
    }

    package let chain: ChainID
    /// The platform of each contract.
    package let platforms: [Address: Address]
    package private(set) var courses: [CourseID: Course] = [:]
    /// What each contract owes.
    package private(set) var money: [Address: ContractMoney]

    /// Creates the state before the first event.
    ///
    /// - Parameters:
    ///   - chain: The chain of all contracts.
    ///   - platforms: The contracts, each with its platform account.
    package init(chain: ChainID, platforms: [Address: Address]) {
        (self.chain, self.platforms) = (chain, platforms)
        money = platforms.mapValues { _ in ContractMoney() }
    }

    /// Applies the next event of a contract.
    ///
    /// The courses are changed in place, because one can have thousands of students.
    ///
    /// - Throws: If the contract could not have emitted it here; the state is unchanged.
    package mutating func apply(_ event: Event) throws(SaleFault) {
        guard let platform = platforms[event.contract] else { throw .otherSale }
        switch event.content {
        case .withdrawn(let credit, _): try money[event.contract]?.withdraw(credit)
        case .course(let content):
            let contract = ContractReference(chain: chain, address: event.contract)
            try apply(content, contract, platform)
        }
    }

    private mutating func apply(
        _ event: CourseEvent,
        _ contract: ContractReference,
        _ platform: Address
    ) throws(SaleFault) {
        guard let known = courses[event.course]?.reference.contract else {
            courses[event.course] = try Course(
                opening: event,
                contract: contract,
                platform: platform
            )
            return
        }
        guard known == contract else { throw .otherSale }
        try courses[event.course]?.apply(event)
        // The sums cannot overflow: a price is below 2¹²⁸ and a round has at most 10,000 students.
        guard let course = courses[event.course] else { return }
        try money[contract.address]?.take(course.taken(with: event), in: course.last.terms.currency)
        if let credit = event.credit { try money[contract.address]?.add(credit) }
    }
}
