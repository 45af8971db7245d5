import Client

/// The names a person knows accounts by, in place of addresses.
struct Names: Sendable {
    static let none = Names([])

    private let known: [String: AccountName]
    /// The address of the account that is signed in, as whom the answer was asked for.
    let own: String?

    init(_ names: [AccountName], own: String? = nil) {
        known = Dictionary(names.map { ($0.account, $0) }) { one, _ in one }
        self.own = own
    }

    /// The names that a node tells; none if it tells the caller nothing.
    static func of(_ node: StoaClient, own: String? = nil) async -> Names {
        // An answer without names is as good.
        Names((try? await node.names()) ?? [], own: own)
    }

    /// `anna (0x12ab…9f3c)`, or the whole address of an account without a name.
    func text(_ address: String) -> String {
        let name = known[address].map {
            "\(DisplayText.line($0.name)) (\(IDText.address(address)))"
        }
        return (name ?? address) + (address == own ? ", you" : "")
    }

    /// The name of an account of the node; a contact's is its own choice, and none.
    func here(_ address: String) -> String? {
        known[address].flatMap { $0.isHere ? $0.name : nil }
    }

    /// The name alone, or a shortened address: for columns.
    func short(_ address: String) -> String {
        if address == own { return "you" }
        return known[address].map { DisplayText.line($0.name) } ?? IDText.address(address)
    }
}
