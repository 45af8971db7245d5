import Client

/// A command that calls a node as the signed-in account.
protocol AccountCall: LeafCommand {
    var options: CallOptions { get }

    func call(_ node: StoaClient) async throws
}

extension AccountCall {
    func run() async throws {
        let named = (self as? any ListingNaming)?.listing
        try await options.asAccount { node in
            try await ListingSuggestion.telling(named, node) { try await call(node) }
        }
    }
}

/// A command that calls a node as ``CallOptions/asReader(_:)`` does.
protocol ReaderCall: LeafCommand {
    var options: CallOptions { get }

    /// Does what the command does; `own` is the address of the signed-in account, or `nil`.
    func call(_ node: StoaClient, own: String?) async throws
}

extension ReaderCall {
    func run() async throws {
        let named = (self as? any ListingNaming)?.listing
        try await options.asReader { node, own in
            try await ListingSuggestion.telling(named, node) { try await call(node, own: own) }
        }
    }
}
