import Answers
package import Client
import Contracts
import Ethereum
import Foundation
import Keys
import Market
import Setup
import Texts

extension SaleIndex {
    /// The chain's status, as the API shows it.
    package var status: Client.ChainStatus {
        let (head, fault) = (head, Self.refusal(of: health, on: deployment.chain))
        return Client.ChainStatus(
            chain: deployment.chain.number,
            native: CurrencyUnit(deployment.registry.native, on: deployment.chain),
            fees: head.map { $0.header.baseFee?.isZero == false ? "1559" : "legacy" },
            confirmations: confirmations,
            explorer: explorer?.template,
            health: health.name,
            detail: fault?.detail,
            reason: fault?.reason,
            head: head?.header.number,
            headTime: head.map {
                Date(timeIntervalSince1970: Double($0.header.timestamp))
            },
            item: deployment.item.address.checksummed,
            contracts: deployment.contracts.map {
                ChainStatus.Contract(kind: $0.kind.rawValue, address: $0.address.checksummed)
            },
            arbiters: deployment.arbiters.map {
                ChainStatus.Arbiter(account: $0.account.checksummed, name: $0.name)
            },
            confirmedBy: sourceCount,
            warnings: (isAlone ? [Sentence("chain.oneEndpoint")] : [])
                + sources.warnings + notices.map(\.words)
        )
    }
}

extension MarketChain {
    /// The chain's status; while the chain is not followed, with the faults of its endpoints.
    package var status: Client.ChainStatus {
        get async {
            var status = saleIndex.status
            guard status.health != ChainHealth.following.name else { return status }
            let faults = await client.faults
            guard !faults.isEmpty else { return status }
            status.reason = (status.reason ?? []) + faults
            status.detail = status.reason?.detail
            return status
        }
    }
}

extension CurrencyUnit {
    init(_ entry: CurrencyRegistry.Entry, on chain: ChainID) {
        self.init(
            chain: chain.number,
            currency: entry.currency.name,
            name: entry.name,
            symbol: entry.symbol,
            decimals: entry.decimals
        )
    }
}

extension SaleIndex {
    /// Whether one endpoint could lie: a development chain has no other one.
    var isAlone: Bool {
        sources.state == .single && !deployment.chain.isOfDevelopment
    }

    /// The number of endpoints that confirm the shown state of the final blocks.
    fileprivate var sourceCount: Int {
        let (sources, final) = (sources, finalHeight)
        switch sources.state {
        case .confirming: return final.map { sources.confirms($0) } == true ? sources.needed : 1
        case .single, .away, .disagreeing: return 1
        }
    }
}

extension EndpointNotice {
    /// The status that is shown to an operator.
    var words: Sentence {
        switch finding {
        case .leftOut(let height):
            Sentence("chain.leftOut", ["endpoint": "\(endpoint)", "block": "\(height)"])
        case .noLogs(let height):
            Sentence("chain.noLogs", ["endpoint": "\(endpoint)", "block": "\(height)"])
        case .stateDiffers(let sale):
            Sentence("chain.stateDiffers", ["sale": "\(SaleID(sale))", "endpoint": "\(endpoint)"])
        }
    }
}

extension ChainHealth {
    /// The API's name of the state.
    fileprivate var name: String {
        switch self {
        case .following: "ready"
        case .starting, .catchingUp, .rescanning: "connecting"
        case .stale: "stale"
        case .unreachable: "unreachable"
        case .wrongChain: "wrong_chain"
        }
    }
}
