import Answers
import Client
import Ethereum
import Market
import Texts

/// How long the chain takes to make a block.
extension MarketChain {
    /// The distance, in blocks, between the blocks whose times are compared, and the number of
    /// comparisons.
    private static let (blockStep, blockSteps): (UInt64, UInt64) = (10, 3)
    /// The longest usual time between blocks that is reckoned with.
    private static let blockTimeMax: UInt64 = 60

    /// Why a purchase might be mined too late: the offer ends before the next block is due; `nil`
    /// if there is time.
    func lateRefusal(of sale: Market.Sale, at time: ChainTime) async -> Refusal? {
        let soon = time.advanced(by: .seconds(Self.blockTimeMax))
        guard sale.isOffered(at: time), !sale.isOffered(at: soon) else { return nil }
        guard let usual = (try? await secondsPerBlock()) ?? nil else { return nil }
        let seconds = min(max(1, UInt64(usual)), Self.blockTimeMax)
        guard !sale.isOffered(at: time.advanced(by: .seconds(seconds))) else { return nil }
        return Refusal(.listingGone, Sentence("refusal.mayBeLate", ["seconds": "\(seconds)"]))
    }

    /// Returns the time between blocks: the median of three averages; `nil` for a young chain.
    func secondsPerBlock() async throws -> Int? {
        let (index, sources) = (saleIndex, saleIndex.sources)
        // Endpoints can differ about newer blocks.
        let settled = sources.state == .single ? index.applied?.number : sources.confirmed
        guard let head = settled, head > Self.blockStep * Self.blockSteps else { return nil }
        var times: [UInt64] = []
        for step in 0...Self.blockSteps {
            let number = head - step * Self.blockStep
            let block = try await asking {
                try await client.block(at: number)
            }
            guard let block else { return nil }
            times.append(block.timestamp)
        }
        let lengths = zip(times, times.dropFirst()).map { later, earlier in
            (later < earlier ? 0 : later - earlier) / Self.blockStep
        }
        return Int(lengths.sorted()[lengths.count / 2])
    }
}
