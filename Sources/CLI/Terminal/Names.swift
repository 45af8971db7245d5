import Client

/// The names of accounts, to show instead of addresses.
struct Names: Sendable {
    static let none = Names([])

    private let known: [String: AccountName]
    /// The names that other accounts give themselves.
    var profiles: [String: String] = [:]
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

    /// Formats an account as `anna (0x12ab…9f3c)`, with the name that it gives itself if no other
    /// is known, or as its whole address if it has none.
    func text(_ address: String) -> String {
        let name = (known[address].map { DisplayText.line($0.name) } ?? profiles[address])
            .map { "\($0) (\(IDText.address(address)))" }
        return (name ?? address) + (address == own ? ", you" : "")
    }

    /// The text of sentences, with the names of accounts that have one.
    func text(of sentences: [Sentence]) -> String {
        sentences.map { sentence in
            let accounts = Set(sentence.values.values.filter { isNamed($0) })
            return sentence.detail.replacing(/0x[0-9a-fA-F]{40}/) { match in
                let address = String(match.output)
                return accounts.contains(address) ? text(address) : address
            }
        }
        .joined(separator: " ")
    }

    private func isNamed(_ address: String) -> Bool {
        known[address] != nil || profiles[address] != nil
    }

    /// Returns the name of an account of this node; `nil` for a contact, who chose its name itself.
    func here(_ address: String) -> String? {
        known[address].flatMap { $0.isHere ? $0.name : nil }
    }

    /// Whether the account has a name that nobody else can take, or is the caller's own.
    func isKnown(_ address: String) -> Bool { address == own || known[address] != nil }

    /// Formats an account for a table: its name, or a shortened address, with the name that it
    /// gives itself if that is known.
    func short(_ address: String) -> String {
        if address == own { return "you" }
        let short = IDText.address(address)
        guard let known = known[address] else {
            return profiles[address].map { "\($0) (\(short))" } ?? short
        }
        let name = DisplayText.line(known.name)
        // Anybody can choose any name.
        return known.isHere || known.isNamedByCaller == true ? name : "\(name) (\(short))"
    }
}

extension CallOptions {
    /// Asks the node for the names that the caller may see; JSON has no names, so none for it.
    func names(of node: StoaClient, own: String? = nil) async -> Names {
        json ? .none : await Names.of(node, own: own)
    }
}
