package import Answers
package import Client
import Contracts
package import Ethereum
package import Market

/// Whether a chain is followed, in words.
extension SaleIndex {
    /// Refuses if the view of the chain is not current, so that no money moves by it.
    package func requireCurrent() throws(Refusal) {
        if let refusal = Self.refusal(of: health, on: deployment.chain) { throw refusal }
    }

    /// Why sent transactions make no progress, as far as this node sees; `nil` if they may.
    package var outage: [Sentence]? {
        let health = health
        switch health {
        case .unreachable, .wrongChain, .stale:
            return Self.refusal(of: health, on: deployment.chain)?.reason
        case .starting, .catchingUp, .following, .rescanning: return nil
        }
    }

    /// Returns the refusal that a chain's health requires, if any.
    package static func refusal(of health: ChainHealth, on chain: ChainID) -> Refusal? {
        switch health {
        case .following: nil
        case .starting:
            Refusal(
                .chainAway,
                Sentence("refusal.connecting", ["chain": "\(chain)"]),
                retryAfter: .seconds(2)
            )
        case .unreachable:
            Refusal(
                .chainAway,
                Sentence("refusal.noEndpoint", ["chain": "\(chain)"]),
                retryAfter: .seconds(10)
            )
        case .wrongChain(chain):
            Refusal(.wrongChain, Sentence("refusal.chainReplaced", ["chain": "\(chain)"]))
        case .wrongChain(let found):
            Refusal(
                .wrongChain,
                Sentence("refusal.otherChain", ["found": "\(found)", "chain": "\(chain)"])
            )
        case .stale(.noNewBlock): stale("refusal.noNewBlock", chain)
        case .stale(.oldTimestamp): stale("refusal.oldBlock", chain)
        case .stale(.futureTimestamp): stale("refusal.futureBlock", chain)
        case .stale(.noRoom): stale("refusal.noRoomForEvents", chain)
        case .stale(.behind): stale("refusal.endpointBehind", chain)
        case .catchingUp(let applied, let head):
            stale("refusal.catchingUp", chain, ["applied": "\(applied)", "head": "\(head)"])
        case .rescanning: stale("refusal.rescanning", chain)
        }
    }

    private static func stale(
        _ code: String,
        _ chain: ChainID,
        _ values: [String: String] = [:]
    ) -> Refusal {
        let all = values.merging(["chain": "\(chain)"]) { value, _ in value }
        return Refusal(.chainStale, Sentence(code, all), retryAfter: .seconds(5))
    }
}
