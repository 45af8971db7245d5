import ArgumentParser
import Client

/// A command that makes one move in a sale.
protocol MoveCommand: AsyncParsableCommand {
    var target: MoveOptions { get }
    var move: SaleMove { get }
}

/// The options of every move: the sale, and how to ask the node.
struct MoveOptions: ParsableArguments {
    @OptionGroup var call: CallOptions
    @Argument(help: "The sale: its id or first digits of it, or words of its listing's title.")
    var sale: String
    @OptionGroup var consent: ConsentOptions
}

extension MoveCommand {
    func run() async throws {
        let (options, sale) = (target.call, target.sale)
        try await options.asAccount { node in
            let preview = try await node.preview(sale: sale, move)
            try await target.consent.obtain(for: preview, of: node, asJSON: options.json)
            // Names the proposal that was shown; the person agreed to it and to the warnings.
            var agreed = move
            agreed.accepts = preview.accepts
            if preview.restsOnOneSource { agreed.acceptsOneSource = true }
            let before = try await SettlementOutcome.proposal(before: preview, node)
            let operation = try await node.move(
                sale: preview.subject ?? sale,
                agreed,
                feeMax: preview.agreedFee
            )
            let ended = try await options.output.finish(operation, node)
            var outcome = ""
            if let id = ended.subject, move.move == "settle", !options.json {
                outcome = await SettlementOutcome.description(of: id, before: before, node)
            }
            try options.output.show(ended) { [outcome] _ in "Done: \(move.move).\(outcome)" }
        }
    }
}

extension SaleCommand {
    struct Transfer: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "transfer",
            abstract: "As seller: declare the item sent. The buyer's time to confirm starts."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "transfer") }
    }

    struct Confirm: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "As buyer: confirm that the item is as promised. Everybody is paid."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "confirm") }
    }

    struct Abort: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "abort",
            abstract: "As seller: cancel the sale before anybody has paid."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "abort") }
    }

    struct Refund: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "refund",
            abstract: "Pay everything back to the buyer, with the penalty for being late."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "refund") }
    }

    struct Dispute: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "dispute",
            abstract: "As buyer: open a dispute because the item is not as promised."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "dispute") }
    }

    struct Claim: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "claim",
            abstract: "Complete the sale after the buyer's time to confirm or dispute has ended."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "claim") }
    }

    struct Settle: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "settle",
            abstract: "Propose how to split the price, or accept a proposal by repeating its share."
        )

        @OptionGroup var target: MoveOptions
        @Option(
            parsing: .unconditional,
            help: "The seller's share of the price, such as 40%."
        )
        var share: ShareText
        var move: SaleMove { SaleMove(move: "settle", share: share.basisPoints) }
    }

    struct Rule: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "rule",
            abstract: "As arbiter: end a dispute by splitting the price."
        )

        @OptionGroup var target: MoveOptions
        @Option(
            parsing: .unconditional,
            help: "The seller's share of the price, such as 40%."
        )
        var share: ShareText
        var move: SaleMove { SaleMove(move: "rule", share: share.basisPoints) }
    }

    struct Default: MoveCommand {
        static let configuration = CommandConfiguration(
            commandName: "default",
            abstract: "End a dispute that nobody settled in time, at a loss for both sides.",
            discussion: """
                Each side gets half of the price, and loses 75% of the price from its deposit.
                """
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "execute_default") }
    }
}
