/// Why a call got no usable answer from a node; a refusal by the node is a ``Problem``.
public enum ClientError: Error, Equatable, Sendable {
    /// Not an address such as `http://127.0.0.1:8080`.
    case badAddress(String)
    /// The text cannot be an id: it is empty, or has nothing but dots.
    case badID(String)
    /// There is no connection, or it broke before the answer arrived.
    case unreachable(NodeAddress, reason: String)
    /// The answer took too long; the node may still have carried out the call.
    case timedOut(NodeAddress)
    /// A program takes connections at the address and never answers.
    case silent(NodeAddress)
    /// The answer is longer than the client takes.
    case oversized(NodeAddress, bytesMax: Int)
    /// The answer does not fit the API; another program may be at this address.
    case unexpected(NodeAddress, status: Int, reason: String)
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badAddress(let text):
            "'\(text)' is not the address of a node; write it as http://127.0.0.1:8080."
        case .badID(let text):
            "'\(text)' is not an id or a name: take one from a list or a search."
        case .unreachable(let node, let reason):
            "No node answers at \(node) (\(reason)). Start it with 'stoa node run', or name its "
                + "data folder with --data, or another node with --node."
        case .timedOut(let node):
            "The node at \(node) took too long to answer; check it with 'stoa node status' and try "
                + "again."
        case .silent(let node):
            "The program at \(node) accepts connections but does not answer. If it is the node, its "
                + "log says why: stop it, and start it again with 'stoa node run'. Otherwise name the "
                + "node's data folder with --data, or its address with --node."
        case .oversized(let node, let bytesMax):
            "The node at \(node) answered with more than \(bytesMax) bytes; ask for less with "
                + "--limit."
        case .unexpected(let node, let status, let reason):
            "The program at \(node) is not a node of this version (status \(status): \(reason))."
        }
    }
}
