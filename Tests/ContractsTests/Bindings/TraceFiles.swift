import Ethereum
import Foundation
import Keys
import Market
import Support
import Testing

/// A log of a trace, as it is on a chain.
struct TraceLog: Decodable {
    let name: String
    let topics: [String]
    let data: String

    func log(of contract: Address) throws -> ContractLog {
        var words: [Bytes32] = []
        for topic in topics { words.append(try #require(Bytes32(hex: topic))) }
        let bytes = try #require(Hex.decode(data))
        return ContractLog(address: contract, topics: words, data: bytes)
    }
}

/// The files of traces that the contracts' tests write.
enum TraceFiles {
    /// Reads the file of a kind, see ``TraceFolder``.
    static func read<File: Decodable>(_ kind: String, as type: File.Type) throws -> File {
        try JSONDecoder().decode(type, from: Data(contentsOf: TraceFolder.file(kind)))
    }

    /// Returns the position of a log: each step is a block of its own.
    static func position(height: Int, index: Int, time: UInt64) -> EventPosition {
        EventPosition(
            blockNumber: UInt64(height),
            blockHash: .zero,
            logIndex: UInt64(index),
            time: ChainTime(seconds: time),
            transaction: Bytes32(words: UInt64(height), 0, 0, 1)
        )
    }
}

/// A file of auctions' or direct sales' traces: the parts that the tests read.
struct ItemTraceFile: Decodable {
    struct Trace: Decodable {
        let seed: Int
        let id: String
        let maker: String
        let roles: [String: String]
        let steps: [Step]
    }

    struct Step: Decodable {
        let move: String
        let time: UInt64
        let refused: String?
        let logs: [TraceLog]
        let sale: Sale
        let credits: [String: String]
        let owed: String
        let views: [View]
        let minimumBid: String?

        private enum CodingKeys: String, CodingKey {
            case move, time, refused, logs, sale, credits, owed, views
            case minimumBid = "minimum_bid"
        }
    }

    /// What the contract's `sale(id)` answers; the members depend on the kind.
    struct Sale: Decodable {
        let status: UInt64
        let token: UInt64
        let bidder: String?
        let highest: String?
        let ends: UInt64?
        let lastEnd: UInt64?
        let buyer: String?
        let offerUntil: UInt64?

        private enum CodingKeys: String, CodingKey {
            case status, token, bidder, highest, ends, buyer
            case lastEnd = "last_end"
            case offerUntil = "offer_until"
        }
    }

    struct View: Decodable {
        let time: UInt64
        let open: [String: String]
    }

    let chainId: UInt64
    let platform: String
    let platformBps: UInt64
    let makerBps: UInt64
    let auction: String?
    let direct: String?
    let traces: [Trace]

    private enum CodingKeys: String, CodingKey {
        case platform, traces, auction, direct
        case chainId = "chain_id"
        case platformBps = "platform_bps"
        case makerBps = "maker_bps"
    }

    var fees: MarketFees {
        get throws {
            try #require(
                MarketFees(
                    platformBasisPoints: platformBps,
                    makerBasisPoints: makerBps,
                    platform: Address(text: platform)
                )
            )
        }
    }
}

/// A file of courses' traces: the parts that the tests read.
struct CourseTraceFile: Decodable {
    struct Trace: Decodable {
        let seed: Int
        let id: String
        let roles: [String: String]
        let steps: [Step]
    }

    struct Step: Decodable {
        let move: String
        let round: UInt64
        let role: String
        let time: UInt64
        /// Why the contract refused the step; it then has nothing of the following.
        let refused: String?
        let logs: [TraceLog]?
        let course: Course?
        let shown: Round?
        let account: [String]?
        /// By currency and account.
        let credits: [String: [String: String]]?
        let owed: [String: String]?
        let views: [ItemTraceFile.View]?
    }

    struct Course: Decodable {
        let rounds: UInt64
        let points: [UInt64]
        let raters: UInt64
    }

    struct Round: Decodable {
        let status: UInt64
        let termsHash: String
        let enrolled: UInt64
        let raters: UInt64
        let points: UInt64
        let price: String

        private enum CodingKeys: String, CodingKey {
            case status, enrolled, raters, points, price
            case termsHash = "terms_hash"
        }
    }

    let chainId: UInt64
    let courses: String
    let platform: String
    let traces: [Trace]

    private enum CodingKeys: String, CodingKey {
        case courses, platform, traces
        case chainId = "chain_id"
    }
}
