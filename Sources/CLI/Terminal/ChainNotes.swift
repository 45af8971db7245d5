import Client

/// Says that a chain cannot be followed, and that it can be again, each once.
struct ChainNotes {
    /// The health of each chain that was reported last.
    private var told: [UInt64: String] = [:]

    /// Returns a line for each chain of which there is news; nothing while all are well.
    mutating func news(of chains: [ChainStatus]) -> [String] {
        chains.compactMap { chain in
            let before = told[chain.chain] ?? Self.well
            guard chain.health != before else { return nil }
            told[chain.chain] = chain.health
            return Self.text(chain) ?? "Chain \(chain.chain) can be followed again."
        }
    }

    private static let well = "ready"

    /// Describes why a chain cannot be followed, and since when; `nil` if it can.
    static func text(_ chain: ChainStatus) -> String? {
        guard chain.health != well else { return nil }
        let detail = chain.detail.map { ": " + DisplayText.line($0) } ?? ""
        let end = detail.hasSuffix(".") ? "" : "."
        let last = chain.headTime.map { " Its last known block is of \(TimeText.text($0))." } ?? ""
        return "Chain \(chain.chain) \(words[chain.health] ?? chain.health)\(detail)\(end)\(last)"
    }

    private static let words = [
        "unreachable": "cannot be reached", "stale": "brings no new blocks",
        "connecting": "is being connected to", "wrong_chain": "is another one than the market's",
    ]

    /// Asks the node about the chain of a sale; `nil` if it can be followed, or if the node does
    /// not tell the caller.
    static func text(of chain: UInt64, _ node: StoaClient) async -> String? {
        (try? await node.chains())?.first { $0.chain == chain }.flatMap(text)
    }
}
