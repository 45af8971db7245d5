import Answers
import Client
import HTTPTypes
import Hummingbird

/// Adds the calls that need a chain to a node without one; each refuses and says what is missing.
func addChainlessRoutes(to group: RouterGroup<APIContext>) {
    let roots = [
        "arbitration", "currencies", "identifiers", "items", "listings", "reputation", "reviews",
        "sales",
        "wallet",
        "operations/{id}/", "signatures",
    ]
    for operation in APIOperation.all {
        guard roots.contains(where: operation.path.hasPrefix),
            let method = HTTPRequest.Method(rawValue: operation.method.uppercased())
        else { continue }
        group.on(RouterPath(operation.path), method: method) { _, _ -> Response in
            throw Refusal(
                .chainAway,
                "This node is in no market: join one with 'stoa init --market FILE' in a new folder, "
                    + "or set chain.deployment and chain.rpc and start the node again."
            )
        }
    }
}
