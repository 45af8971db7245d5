import BigInt
import Client
import Setup

/// Asks a seller who decides a dispute, and offers the arbiters that the market's file names.
enum ArbiterQuestion {
    /// An arbiter who is registered in the price's currency.
    struct Choice: Equatable {
        let account: String
        /// Its name in the market's file.
        let name: String?
        /// The lowest fee, in the smallest unit.
        let feeMin: String
    }

    /// Returns the terms with the arbiter that the person chooses, or unchanged.
    ///
    /// Asks nothing if the terms name an arbiter or if there is no terminal. Offers the arbiters of
    /// the market's file whose own terms fit, and says why the others do not. Another arbiter can
    /// be given by address.
    static func answered(_ content: ListingContent, of node: StoaClient) async throws
        -> ListingContent
    {
        guard content.payment == "escrow", content.terms?.arbiter == nil, Terminal.isInteractive,
            let chain = try? await chain(of: content, on: node),
            let found = try? await choices(for: content, on: chain, of: node)
        else { return content }
        for (choice, obstacle) in found.others {
            Terminal.warn("\(name(of: choice)) cannot decide disputes about this: \(obstacle)")
        }
        let lines = CurrencyUnits.on(content.chain) {
            found.choices.enumerated().map { number, choice in
                "  \(number + 1)  \(text(choice, content.price.currency))\n"
            }
        }
        let asked = lines.isEmpty ? "An arbiter's address" : "Number, or an arbiter's address"
        let question =
            "Who decides if you and the buyer disagree?\n  0  nobody\n\(lines.joined())\(asked) (0): "
        let answered = try await Terminal.answer(DisplayText.safe(question)) { answer in
            try await chosen(answer, among: found.choices, in: content) { account in
                do {
                    return try await choice(account, for: content, on: chain, of: node)
                } catch let problem as Problem where problem.code == ProblemCode.badAddress.rawValue
                {
                    throw Failure(.usage, problem.detail)
                }
            }
        }
        return answered ?? content
    }

    /// Takes an answer to the question who decides.
    ///
    /// - Parameters:
    ///   - answer: The typed answer.
    ///   - choices: The list that was shown.
    ///   - content: The sale's terms.
    ///   - registered: Returns the arbiter of an address or a name; `nil` if the account is not
    ///     registered in the price's currency.
    /// - Returns: The content with the chosen arbiter, for a fee that the arbiter takes.
    /// - Throws: ``Failure`` for a number that is not in the list, and for an account that is not
    ///   registered; what `registered` throws.
    static func chosen(
        _ answer: String,
        among choices: [Choice],
        in content: ListingContent,
        registered: (String) async throws -> Choice?
    ) async throws -> ListingContent {
        let text = answer.filter { !$0.isWhitespace }
        guard !text.isEmpty, text != "0" else { return content }
        if let number = Int(text) {
            guard choices.indices.contains(number - 1) else {
                throw Failure(.usage, "\(text.quoted) is not in the list.")
            }
            return naming(choices[number - 1], in: content)
        }
        guard let choice = try await registered(text) else {
            throw Failure(
                .usage,
                "\(text.quoted) is not registered as an arbiter in this currency."
            )
        }
        return naming(choice, in: content)
    }

    private static func naming(_ choice: Choice, in content: ListingContent) -> ListingContent {
        var content = content
        var terms = content.terms ?? EscrowTerms()
        terms.arbiter = choice.account
        let given = terms.arbiterFee.flatMap { BigUInt($0) } ?? 0
        terms.arbiterFee = "\(max(given, BigUInt(choice.feeMin) ?? 0))"
        content.terms = terms
        return content
    }

    /// Returns the chain that a sale would be on; `nil` if it is not known.
    private static func chain(
        of content: ListingContent,
        on node: StoaClient
    ) async throws -> ChainStatus? {
        let chains = try await node.chains()
        let meant = chains.filter { content.chain == nil || $0.chain == content.chain }
        return meant.count == 1 ? meant.first : nil
    }

    /// Returns the market's arbiters whom a sale's terms take, and the others with the reason.
    private static func choices(
        for content: ListingContent,
        on chain: ChainStatus,
        of node: StoaClient
    ) async throws -> (choices: [Choice], others: [(Choice, obstacle: String)]) {
        var found: (choices: [Choice], others: [(Choice, obstacle: String)]) = ([], [])
        for arbiter in chain.arbiters {
            guard
                let choice = try await choice(
                    arbiter.account,
                    named: arbiter.name,
                    for: content,
                    on: chain,
                    of: node
                )
            else { continue }
            if let obstacle = try await obstacle(to: choice, in: content, of: node) {
                found.others.append((choice, obstacle))
            } else {
                found.choices.append(choice)
            }
        }
        return found
    }

    /// Returns an arbiter with its fee; `nil` if it is not registered in the price's currency.
    private static func choice(
        _ account: String,
        named name: String? = nil,
        for content: ListingContent,
        on chain: ChainStatus,
        of node: StoaClient
    ) async throws -> Choice? {
        let terms = try await node.arbitration(of: account, chain: chain.chain)
        guard let own = terms.first(where: { $0.currency == content.price.currency }) else {
            return nil
        }
        return Choice(account: account, name: name, feeMin: own.feeMin)
    }

    /// Returns why the terms of a sale do not take an arbiter; `nil` if they do.
    private static func obstacle(
        to choice: Choice,
        in content: ListingContent,
        of node: StoaClient
    ) async throws -> String? {
        do {
            let preview = try await node.preview(naming(choice, in: content))
            return preview.problems.first { $0.field?.hasPrefix("terms.") == true }?.detail
        } catch let problem as Problem where problem.field?.hasPrefix("terms.") == true {
            return problem.detail
        }
    }

    private static func text(_ choice: Choice, _ currency: String) -> String {
        "\(name(of: choice)), for \(MoneyText.paid(choice.feeMin, currency)) or more"
    }

    private static func name(of choice: Choice) -> String {
        let name = choice.name.map { DisplayText.line($0) + ", " } ?? ""
        return name + choice.account
    }
}
