import Answers
import Client
import GossipProtocol
import Hummingbird
import Market

/// Adds the handlers of the node, its peers and names.
func addNodeRoutes(
    to group: RouterGroup<APIContext>,
    report: NodeReport,
    ids: IDResolver
) {
    group.on(API.accounts.names) { request in
        let context = request.context
        return try await ids.names.names(for: context.signedIn, isLocal: context.isLocal)
    }
    group.on(API.node.status) { request in
        let status = try await report.status()
        return request.context.isLocal ? status : status.forAccounts
    }
    group.on(API.node.chains) { request in
        let chains = try await report.status().chains
        return request.context.isLocal ? chains : chains.map(\.forAccounts)
    }
    group.on(API.node.peers) { _ in await report.peers() }
    group.on(API.node.connect) { request in
        let asked = try await request.body
        guard let address = Multiaddr(text: asked.address), address.peer != nil else {
            throw Refusal(.malformedValue, Sentence("refusal.peerAddress"), field: "address")
        }
        return try await report.link(to: address)
    }
}

extension NodeStatus {
    /// The part that accounts on other machines may know.
    fileprivate var forAccounts: NodeStatus {
        var status = self
        (status.listenAddresses, status.storeWarning) = ([], nil)
        status.chains = status.chains.map(\.forAccounts)
        return status
    }
}

extension ChainStatus {
    /// The part that accounts on other machines may know: how the chain is, without the operator's
    /// endpoints and their faults.
    var forAccounts: ChainStatus {
        var status = self
        (status.detail, status.reason) = (nil, nil)
        status.warnings.removeAll { $0.values.keys.contains { $0.hasPrefix("endpoint") } }
        return status
    }
}
