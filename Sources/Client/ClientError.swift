/// Why a node's answer is missing; what a node itself refuses is a ``Problem``.
public enum ClientError: Error, Equatable, Sendable {
    /// Not an address such as `http://127.0.0.1:8080`.
    case badAddress(String)
    /// Nothing has such an id: it is empty, or nothing but dots.
    case badID(String)
    /// No connection, or one that broke before the answer came.
    case unreachable(NodeAddress, reason: String)
    /// The answer took too long; what was asked may have been done all the same.
    case timedOut(NodeAddress)
    /// The answer is longer than a client takes.
    case oversized(NodeAddress, bytesMax: Int)
    /// The answer is not what the API says; another program may be at this address.
    case unexpected(NodeAddress, status: Int, reason: String)
}

extension ClientError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .badAddress(let text):
            "'\(text)' is no address of a node; write it as http://127.0.0.1:8080."
        case .badID(let text):
            "'\(text)' is no id: take one from a list or a search."
        case .unreachable(let node, let reason):
            "No node answers at \(node) (\(reason)). Start it with 'stoa node run', or name "
                + "another with --node."
        case .timedOut(let node):
            "The node at \(node) took too long to answer; look at its state with 'stoa node "
                + "status' and try again."
        case .oversized(let node, let bytesMax):
            "The node at \(node) answered with more than \(bytesMax) bytes; ask for less with "
                + "--limit."
        case .unexpected(let node, let status, let reason):
            "What answers at \(node) is no node of this version (status \(status): \(reason))."
        }
    }
}
