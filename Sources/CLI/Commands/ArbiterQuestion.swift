import BigInt
import Client
import Setup

/// Asks a seller who decides a dispute, and offers the arbiters that the market's file names.
enum ArbiterQuestion {
    /// An arbiter whom the market names and who is registered in the price's currency.
    struct Choice: Equatable {
        let account: String
        let name: String?
        /// The lowest fee, in the smallest unit.
        let feeMin: String
    }

    /// Returns the terms with the arbiter that the person chooses, or unchanged.
    ///
    /// Nothing is asked if the terms name an arbiter, if nobody can answer, or if the market's file
    /// names no arbiter whom the terms would take. Why they do not take the others is said.
    static func answered(_ content: ListingContent, of node: StoaClient) async throws
        -> ListingContent
    {
        guard content.payment == "escrow", content.terms?.arbiter == nil, Terminal.isInteractive,
            let found = try? await choices(for: content, of: node)
        else { return content }
        for (choice, obstacle) in found.others {
            Terminal.warn("\(name(of: choice)) cannot decide disputes about this: \(obstacle)")
        }
        let lines = CurrencyUnits.on(content.chain) {
            found.choices.enumerated().map { number, choice in
                "  \(number + 1)  \(text(choice, content.price.currency))"
            }
        }
        guard !lines.isEmpty else { return content }
        let question =
            "Who decides if you and the buyer disagree?\n  0  nobody\n"
            + lines.joined(separator: "\n") + "\nNumber (0): "
        let answer = Terminal.answer(DisplayText.safe(question)) ?? ""
        return try chosen(answer, among: found.choices, in: content)
    }

    /// Returns the content with the chosen arbiter, for a fee that the arbiter takes.
    ///
    /// - Throws: ``Failure`` for an answer that is not a number of the list.
    static func chosen(
        _ answer: String,
        among choices: [Choice],
        in content: ListingContent
    ) throws -> ListingContent {
        let text = answer.filter { !$0.isWhitespace }
        guard !text.isEmpty, text != "0" else { return content }
        guard let number = Int(text), choices.indices.contains(number - 1) else {
            throw Failure(.usage, "\(text.quoted) is not a number of the list. Nothing was listed.")
        }
        return naming(choices[number - 1], in: content)
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

    /// Returns the arbiters whom a sale's terms take, and the others with the reason.
    private static func choices(
        for content: ListingContent,
        of node: StoaClient
    ) async throws -> (choices: [Choice], others: [(Choice, obstacle: String)]) {
        var found: (choices: [Choice], others: [(Choice, obstacle: String)]) = ([], [])
        let chains = try await node.chains()
        let meant = chains.filter { content.chain == nil || $0.chain == content.chain }
        guard meant.count == 1, let chain = meant.first else { return found }
        for arbiter in chain.arbiters {
            let terms = try await node.arbitration(of: arbiter.account, chain: chain.chain)
            guard let own = terms.first(where: { $0.currency == content.price.currency }) else {
                continue
            }
            let choice = Choice(account: arbiter.account, name: arbiter.name, feeMin: own.feeMin)
            if let obstacle = try await obstacle(to: choice, in: content, of: node) {
                found.others.append((choice, obstacle))
            } else {
                found.choices.append(choice)
            }
        }
        return found
    }

    /// Returns why the terms of a sale do not take an arbiter; `nil` if they do.
    private static func obstacle(
        to choice: Choice,
        in content: ListingContent,
        of node: StoaClient
    ) async throws -> String? {
        do {
            _ = try await node.preview(naming(choice, in: content))
            return nil
        } catch let problem as Problem where problem.field?.hasPrefix("terms.") == true {
            return problem.detail
        }
    }

    private static func text(_ choice: Choice, _ currency: String) -> String {
        "\(name(of: choice)), for \(MoneyText.text(choice.feeMin, currency)) or more"
    }

    private static func name(of choice: Choice) -> String {
        let name = choice.name.map { DisplayText.line($0) + ", " } ?? ""
        return name + choice.account
    }
}
