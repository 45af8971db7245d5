import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct EscrowEventsTests {
    private let escrow = EscrowContract(address: number(0xE5).address)
    private let sale = SaleID(Bytes32(repeating: 3))
    private let terms = makeTerms(.native)
    private let position = EventPosition(
        blockNumber: 10,
        blockHash: Bytes32(repeating: 8),
        logIndex: 2,
        time: ChainTime(seconds: 77),
        transaction: Bytes32(repeating: 9)
    )

    @Test func `reads a listing`() throws {
        let log = try log(
            "Listed",
            [sale.hash, number(5), number(1)],
            [
                .bytes32(Bytes32(repeating: 6)), .bytes32(Bytes32(repeating: 7)),
                .address(number(4).address), .bytes32(.zero), .bool(false), termsValue(terms),
                .uint(77),
            ]
        )
        let listed = ItemListing<EscrowTerms>(
            seller: number(5).address,
            token: Amount(small: 1),
            promise: Bytes32(repeating: 6),
            contentHash: Bytes32(repeating: 7),
            maker: number(4).address,
            salt: .zero,
            isMinted: false,
            terms: terms
        )
        #expect(try escrow.decode(log, at: position).escrow == event(.listed(listed)))
    }

    @Test func `reads the phases of a sale`() throws {
        let (seller, buyer) = (number(5).address, number(6).address)
        let deadline = ChainTime(seconds: 99)
        let parties = [sale.hash, number(5), number(6)]
        let phases: [(String, EscrowEvent.Change)] = [
            ("Bought", .bought(seller: seller, buyer: buyer, deadline: deadline)),
            ("ItemTransferred", .itemTransferred(seller: seller, buyer: buyer, deadline: deadline)),
            ("Disputed", .disputed(buyer: seller, arbiter: buyer, deadline: deadline)),
        ]
        for (name, change) in phases {
            let log = try log(name, parties, [.uint(99), .uint(77)])
            #expect(try escrow.decode(log, at: position).escrow == event(change))
        }
        let relisted = try log("Relisted", parties, [.uint(77)])
        #expect(
            try escrow.decode(relisted, at: position).escrow
                == event(.relisted(seller: seller, buyer: buyer))
        )
    }

    @Test func `reads a proposal and refuses one above the whole price`() throws {
        let topics = [sale.hash, number(5)]
        let log = try log("Proposed", topics, [.uint(10_000), .uint(99), .uint(77)])
        let proposal = SettlementProposal(
            by: number(5).address,
            share: .all,
            until: ChainTime(seconds: 99)
        )
        #expect(try escrow.decode(log, at: position).escrow == event(.proposed(proposal)))
        let odd = try self.log("Proposed", topics, [.uint(10_001), .uint(99), .uint(77)])
        #expect(throws: ABIError.meaningless("a share")) { try escrow.decode(odd, at: position) }
    }

    @Test func `reads events that name only an account`() throws {
        let account = number(5).address
        let changes: [(String, EscrowEvent.Change)] = [
            ("Taken", .taken(arbiter: account)),
            ("ProposalWithdrawn", .proposalWithdrawn(by: account)),
        ]
        for (name, change) in changes {
            let log = try log(name, [sale.hash, number(5)], [.uint(77)])
            #expect(try escrow.decode(log, at: position).escrow == event(change))
        }
    }

    @Test func `does not follow registrations of arbiters`() throws {
        let log = try log(
            "ArbiterRegistered",
            [number(5), number(7)],
            [.uint(3), .uint(99), .uint(77)]
        )
        #expect(!EscrowContract.topics.contains(try #require(log.topics.first)))
        #expect(throws: ABIError.topic) { try escrow.decode(log, at: position) }
    }

    @Test func `reads the event of an end with its payout`() throws {
        let log = try ended(status: 128, exit: 4)
        let ended = EscrowEvent.Ended(
            seller: number(5).address,
            buyer: number(6).address,
            status: .complete,
            exit: .confirm,
            by: number(6).address,
            share: .all,
            tokenTo: number(6).address,
            maker: number(5).address,
            payout: EscrowPayout(
                seller: Amount(small: 1),
                buyer: Amount(small: 2),
                platform: Amount(small: 3),
                maker: Amount(small: 4),
                arbiter: Amount(small: 5),
                nobody: Amount(small: 6)
            )
        )
        #expect(try escrow.decode(log, at: position).escrow == event(.ended(ended)))
        #expect(throws: ABIError.meaningless("a status")) {
            try escrow.decode(self.ended(status: 129, exit: 4), at: position)
        }
        #expect(throws: ABIError.meaningless("an exit")) {
            try escrow.decode(self.ended(status: 128, exit: 3), at: position)
        }
    }

    @Test func `reads credits and withdrawals`() throws {
        let credited = try log("Credited", [number(0), number(5), sale.hash], [.uint(8)])
        #expect(
            try escrow.decode(credited, at: position).escrow
                == event(
                    .credited(
                        ContractMoney.Credit(
                            currency: .native,
                            account: number(5).address,
                            amount: Amount(small: 8)
                        )
                    )
                )
        )
        let withdrawn = try log("Withdrawn", [number(7), number(5), number(6)], [.uint(8)])
        let event = try escrow.decode(withdrawn, at: position)
        guard case .withdrawn(let credit, let to) = event.content else {
            Issue.record("\(event)")
            return
        }
        #expect(event.contract == escrow.address && to == number(6).address)
        #expect(credit.currency == .token(number(7).address))
        #expect(credit.account == number(5).address && credit.amount == Amount(small: 8))
    }

    @Test func `detects an endpoint that lies about a block's time`() throws {
        let log = try log("Bought", [sale.hash, number(5), number(6)], [.uint(99), .uint(78)])
        #expect(throws: ABIError.meaningless("a time that is not the block's")) {
            try escrow.decode(log, at: position)
        }
    }

    @Test func `refuses logs of another contract`() throws {
        let good = try log("Bought", [sale.hash, number(5), number(6)], [.uint(99), .uint(77)])
        let stranger = ContractLog(address: .zero, topics: good.topics, data: good.data)
        #expect(throws: ABIError.topic) { try escrow.decode(stranger, at: position) }
        let unknown = ContractLog(address: escrow.address, topics: [.zero], data: [])
        #expect(throws: ABIError.topic) { try escrow.decode(unknown, at: position) }
        let short = ContractLog(
            address: escrow.address,
            topics: good.topics,
            data: [UInt8](good.data.dropLast())
        )
        #expect(throws: ABIError.truncated(offset: 32)) { try escrow.decode(short, at: position) }
        #expect(EscrowContract.topics.count == 11)
        #expect(EscrowContract.topics.contains(good.topics[0]))
    }

    private func event(_ change: EscrowEvent.Change) -> EscrowEvent {
        EscrowEvent(sale: sale, position: position, change: change)
    }

    private func ended(status: UInt64, exit: UInt64) throws -> ContractLog {
        try log(
            "Ended",
            [sale.hash, number(5), number(6)],
            [
                .small(status), .small(exit), .address(number(6).address), .uint(10_000),
                .address(number(6).address), .address(number(5).address),
                .tuple((1...6).map { .small($0) }), .uint(77),
            ]
        )
    }

    private func log(
        _ name: String,
        _ topics: [Bytes32],
        _ values: [ABIValue]
    ) throws -> ContractLog {
        let event = try Artifact.escrow.interface.event(name)
        let types = event.inputs.filter { !$0.isIndexed }.map(\.type)
        return ContractLog(
            address: escrow.address,
            topics: [event.topic] + topics,
            data: try ABI.encode(values, as: types)
        )
    }
}

extension SaleLedger.Event {
    fileprivate var escrow: EscrowEvent? { saleEvent as? EscrowEvent }
}
