import Client

/// The names of accounts, to show instead of addresses.
struct Names: Sendable {
    static let none = Names([])

    private let known: [String: AccountName]
    /// The address of the signed-in account that made the call.
    let own: String?

    init(_ names: [AccountName], own: String? = nil) {
        known = Dictionary(names.map { ($0.account, $0) }) { one, _ in one }
        self.own = own
    }

    /// Asks the node for the names that the caller may see.
    static func of(_ node: StoaClient, own: String? = nil) async -> Names {
        // Without names, answers show addresses.
        Names((try? await node.names()) ?? [], own: own)
    }

    /// Formats an account as `anna (0x12ab…9f3c)`, or as its whole address if it has no name.
    func text(_ address: String) -> String {
        let name = known[address].map {
            "\(DisplayText.line($0.name)) (\(IDText.address(address)))"
        }
        return (name ?? address) + (address == own ? ", you" : "")
    }

    /// Returns the name of an account of this node; `nil` for a contact, who chose its name itself.
    func here(_ address: String) -> String? {
        known[address].flatMap { $0.isHere ? $0.name : nil }
    }

    /// Formats an account for a table: its name, or a shortened address.
    func short(_ address: String) -> String {
        if address == own { return "you" }
        return known[address].map { DisplayText.line($0.name) } ?? IDText.address(address)
    }
}
