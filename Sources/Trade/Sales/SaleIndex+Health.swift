package import Answers
import Client
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
    package var outage: String? {
        let health = health
        switch health {
        case .unreachable, .wrongChain, .stale:
            return Self.refusal(of: health, on: deployment.chain)?.detail
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
                "This node is connecting to chain \(chain); try again in a moment.",
                retryAfter: .seconds(2)
            )
        case .unreachable:
            Refusal(
                .chainAway,
                "No endpoint of chain \(chain) can be used now; 'stoa node status' says why. Check "
                    + "chain.rpc, and that the endpoint is running.",
                retryAfter: .seconds(10)
            )
        case .wrongChain(chain):
            Refusal(
                .wrongChain,
                "The endpoint serves another chain with the id \(chain): the first block that "
                    + "this node has read is not there. Its sales are kept, and no money moves. "
                    + "Use an endpoint of the former chain in chain.rpc; if the chain was begun "
                    + "again, deploy the market there ('stoa chain deploy') and name its file in "
                    + "chain.deployment."
            )
        case .wrongChain(let found):
            Refusal(
                .wrongChain,
                "The endpoint serves chain \(found), not \(chain). Correct chain.rpc or chain.id."
            )
        case .stale(.noNewBlock):
            stale("Chain \(chain) has had no new block for too long; no money moves.")
        case .stale(.oldTimestamp):
            stale("The newest block of chain \(chain) is old; the endpoint is behind.")
        case .stale(.futureTimestamp):
            stale(
                "The newest block of chain \(chain) is more than 15 minutes ahead of this computer's "
                    + "clock; no money moves. If the clock is wrong ('stoa node status' compares it "
                    + "with other nodes), set it. If it is right, use another endpoint in chain.rpc."
            )
        case .stale(.noRoom):
            stale(
                "The store has no room for the events of chain \(chain), so its sales are not "
                    + "followed and no money moves. Free space on the disk, or raise "
                    + "store.mapGibibytes and start again; 'stoa node status' says which."
            )
        case .stale(.behind):
            stale("The endpoint of chain \(chain) knows fewer blocks than were seen before.")
        case .catchingUp(let applied, let head):
            stale("Chain \(chain) is read up to block \(applied) of \(head); wait for the rest.")
        case .rescanning:
            stale("Chain \(chain) was reorganised deeply and is being read again.")
        }
    }

    private static func stale(_ detail: String) -> Refusal {
        Refusal(.chainStale, detail, retryAfter: .seconds(5))
    }
}
