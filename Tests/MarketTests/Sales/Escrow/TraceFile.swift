import Foundation
import Keys
import Market
import Testing

/// The parts of Tests/Vectors/escrow-traces.json that the tests read.
struct TraceFile: Decodable {
    struct Trace: Decodable {
        let seed: Int
        let id: String
        let roles: [String: String]
        let steps: [Step]
    }

    struct Step: Decodable {
        let move: String
        let time: UInt64
        let logs: [Log]
        let sale: Sale
        let credits: [String: String]
        let owed: String
        let views: [View]
    }

    struct Sale: Decodable {
        let status: UInt64
        let buyer: String
        let token: UInt64
        let deadline: UInt64
        let taken: Bool
        let sellerProposal: Proposal
        let buyerProposal: Proposal

        private enum CodingKeys: String, CodingKey {
            case status, buyer, token, deadline, taken
            case sellerProposal = "seller_proposal"
            case buyerProposal = "buyer_proposal"
        }
    }

    /// A proposal; `until` is 0 if there is none.
    struct Proposal: Decodable, Equatable {
        let share: UInt64
        let until: UInt64

        init(_ proposal: SettlementProposal?) {
            share = proposal?.share.basisPoints ?? 0
            until = proposal?.until.seconds ?? 0
        }
    }

    struct View: Decodable {
        let time: UInt64
        let open: [String: String]
    }

    struct Log: Decodable {
        let name: String
        let topics: [String]
        let data: String
    }

    let chainId: UInt64
    let escrow: String
    let platform: String
    let platformBps: UInt64
    let makerBps: UInt64
    let traces: [Trace]

    private enum CodingKeys: String, CodingKey {
        case escrow, platform, traces
        case chainId = "chain_id"
        case platformBps = "platform_bps"
        case makerBps = "maker_bps"
    }
}

extension TraceFile.Log {
    /// Reads the log word by word: all parameters of the escrow's events are single words.
    func event(height: Int, index: Int, time: UInt64) throws -> EscrowEvent {
        var words = try TraceWords(topics: topics, data: data)
        let position = EventPosition(
            blockNumber: UInt64(height),
            blockHash: .zero,
            logIndex: UInt64(index),
            time: ChainTime(seconds: time),
            transaction: .zero
        )
        guard name != "Credited" else {
            let (currency, account, id) = (words.address(), words.address(), words.next())
            let credit = ContractMoney.Credit(
                currency: Currency(address: currency),
                account: account,
                amount: words.amount()
            )
            return EscrowEvent(sale: SaleID(id), position: position, change: .credited(credit))
        }
        let id = SaleID(words.next())
        return EscrowEvent(sale: id, position: position, change: try change(&words))
    }

    private func change(_ words: inout TraceWords) throws -> EscrowEvent.Change {
        switch name {
        case "Listed": .listed(words.listed())
        case "Bought":
            .bought(seller: words.address(), buyer: words.address(), deadline: words.time())
        case "Relisted": .relisted(seller: words.address(), buyer: words.address())
        case "ItemTransferred":
            .itemTransferred(
                seller: words.address(),
                buyer: words.address(),
                deadline: words.time()
            )
        case "Disputed":
            .disputed(buyer: words.address(), arbiter: words.address(), deadline: words.time())
        case "Taken": .taken(arbiter: words.address())
        case "Proposed":
            .proposed(
                SettlementProposal(
                    by: words.address(),
                    share: try words.share(),
                    until: words.time()
                )
            )
        case "ProposalWithdrawn": .proposalWithdrawn(by: words.address())
        case "Ended": .ended(try words.ended())
        default: throw TraceFault.unknownEvent(name)
        }
    }
}

/// Why a trace cannot be read: it holds something that the contract does not have.
enum TraceFault: Error {
    case unknownEvent(String)
    case notWords
}

/// The words of a log, indexed parameters first, taken one by one.
struct TraceWords {
    private var words: ArraySlice<Bytes32>

    init(topics: [String], data: String) throws {
        let bytes = try #require(Hex.decode(data))
        var words: [Bytes32] = []
        for topic in topics.dropFirst() { words.append(try #require(Bytes32(hex: topic))) }
        for start in stride(from: 0, to: bytes.count, by: 32) {
            guard let word = Bytes32(bytes[start...].prefix(32)) else { throw TraceFault.notWords }
            words.append(word)
        }
        self.words = words[...]
    }

    mutating func next() -> Bytes32 { words.popFirst() ?? .zero }
    mutating func amount() -> Amount { Amount(bigEndian: next().bytes) ?? .zero }
    mutating func address() -> Address { Address(next().bytes.suffix(20)) ?? .zero }
    mutating func party() -> Address? {
        let account = address()
        return account == .zero ? nil : account
    }
    mutating func number() -> UInt64 {
        next().bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
    mutating func time() -> ChainTime { ChainTime(seconds: number()) }
    mutating func window() -> Duration { .seconds(Int64(number())) }
    mutating func share() throws -> SellerShare {
        try #require(SellerShare(basisPoints: number()))
    }

    mutating func listed() -> ItemListing<EscrowTerms> {
        ItemListing<EscrowTerms>(
            seller: address(),
            token: amount(),
            promise: next(),
            contentHash: next(),
            maker: address(),
            salt: next(),
            isMinted: number() == 1,
            terms: terms()
        )
    }

    mutating func terms() -> EscrowTerms {
        let currency = Currency(address: address())
        let amounts = (0..<4).map { _ in amount() }
        return EscrowTerms(
            currency: currency,
            price: amounts[0],
            sellerDeposit: amounts[1],
            buyerDeposit: amounts[2],
            latePenalty: amounts[3],
            arbiter: party(),
            arbiterFee: amount(),
            shipWindow: window(),
            confirmWindow: window(),
            rulingWindow: window(),
            offerUntil: time(),
            buyer: party()
        )
    }

    mutating func ended() throws -> EscrowEvent.Ended {
        EscrowEvent.Ended(
            seller: address(),
            buyer: address(),
            status: try #require(EscrowStatus(number: number())),
            exit: try #require(EscrowExit(number: number())),
            by: address(),
            share: try share(),
            tokenTo: address(),
            maker: address(),
            payout: EscrowPayout(
                seller: amount(),
                buyer: amount(),
                platform: amount(),
                maker: amount(),
                arbiter: amount(),
                nobody: amount()
            )
        )
    }
}
