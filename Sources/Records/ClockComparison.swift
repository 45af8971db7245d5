import Market
package import Texts

/// The wall clock, compared with the times of the node's chains and of linked peers.
///
/// Pure. A real chain and peers from at least three subnets count twice, because no one controls
/// both. A development chain, whose time can be set, and few peers or local ones, which share the
/// machine's clock, count once.
///
/// Source: Docs/operations.md, section 7.3.
package struct ClockComparison: Equatable, Sendable {
    /// A chain's time, compared with the wall clock.
    package struct ChainReading: Equatable, Sendable {
        /// How far the chain's time is ahead of the wall clock; negative if it is behind.
        package let lead: Duration
        package let isOfDevelopment: Bool

        package init(lead: Duration, isOfDevelopment: Bool) {
            (self.lead, self.isOfDevelopment) = (lead, isOfDevelopment)
        }
    }

    /// A linked peer's time, compared with the wall clock.
    package struct PeerReading: Equatable, Sendable {
        package let lead: Duration
        /// Where the peer is; `nil` for this machine.
        package let subnet: [UInt8]?

        package init(lead: Duration, subnet: [UInt8]?) {
            (self.lead, self.subnet) = (lead, subnet)
        }
    }

    /// The minimum difference that is shown.
    package static let shown = Duration.seconds(120)
    /// The minimum difference at which others ignore records that are published here, or forget
    /// them too soon.
    package static let tolerance = UnverifiedRecord.clockAheadMax
    private static let subnetsMin = 3

    private struct Source: Equatable {
        let lead: Duration
        let weight: Int
    }

    private let chain: Source?
    private let peers: Source?

    package init(chains: [ChainReading] = [], peers: [PeerReading] = []) {
        // One real chain that agrees is enough: the others' endpoints may be late.
        let real = chains.filter { !$0.isOfDevelopment }
        chain = (real.isEmpty ? chains : real).min { abs($0.lead) < abs($1.lead) }.map { reading in
            Source(lead: reading.lead, weight: reading.isOfDevelopment ? 1 : 2)
        }
        // A subnet has one voice, however many keys it has.
        let voices = Dictionary(grouping: peers, by: \.subnet).compactMapValues {
            Self.middle($0.map(\.lead))
        }
        let outside = voices.filter { $0.key != nil }
        let isWide = outside.count >= Self.subnetsMin
        self.peers = Self.middle(Array((isWide ? outside : voices).values)).map { lead in
            Source(lead: lead, weight: isWide ? 2 : 1)
        }
    }

    /// How far the chain's time is ahead of this computer's; `nil` if it cannot be compared.
    package var chainLead: Duration? { chain?.lead }
    /// How far linked peers are ahead of this computer; `nil` if none has reported its time.
    package var peersLead: Duration? { peers?.lead }

    /// Whether a record published now would have a time that others do not accept.
    package var isUnusable: Bool {
        var (against, with) = (0, 0)
        for source in [chain, peers].compactMap(\.self) {
            if abs(source.lead) > Self.tolerance {
                against += source.weight
            } else {
                with += source.weight
            }
        }
        return against >= 2 && against > with
    }

    /// The clock's fault and its remedy; empty if there is none, or too little is known.
    package var warnings: [Sentence] {
        func differs(_ source: Source?) -> Duration? {
            guard let source, abs(source.lead) > Self.shown, source.weight > 1 || isUnusable else {
                return nil
            }
            return source.lead
        }
        let (chainLead, peersLead) = (differs(chain), differs(peers))
        if let chain, let peers, let chainLead, peersLead == nil, peers.weight >= chain.weight,
            abs(peers.lead) <= Self.shown
        {
            let values = ["span": abs(chainLead).roundedValue]
            return [
                chainLead > .zero
                    ? Sentence("clock.chainAhead", values) : Sentence("clock.chainBehind", values)
            ]
        }
        var warnings: [Sentence] = []
        if let chainLead {
            let values = ["span": abs(chainLead).roundedValue]
            warnings.append(
                chainLead > .zero
                    ? Sentence("clock.behindChain", values)
                    : Sentence("clock.aheadOfChain", values)
            )
        }
        if let peersLead {
            let values = ["span": abs(peersLead).roundedValue]
            warnings.append(
                peersLead > .zero
                    ? Sentence("clock.behindPeers", values)
                    : Sentence("clock.aheadOfPeers", values)
            )
        }
        guard !warnings.isEmpty else { return [] }
        return warnings
            + [isUnusable ? Sentence("clock.setToPublish") : Sentence("clock.set")]
    }

    private static func middle(_ leads: [Duration]) -> Duration? {
        leads.isEmpty ? nil : leads.sorted()[(leads.count - 1) / 2]
    }
}

private func abs(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
}

extension Duration {
    /// A value of type `duration`, in the largest unit that it contains twice, rounded down, such
    /// as 47 hours.
    fileprivate var roundedValue: String {
        let seconds = components.seconds
        let unit: Int64 = [86_400, 3_600, 60].first { seconds >= 2 * $0 } ?? 1
        return Duration.seconds(seconds / unit * unit).value
    }
}
