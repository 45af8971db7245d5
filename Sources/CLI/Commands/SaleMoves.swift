import ArgumentParser
import Client

/// A command that makes one move in a sale.
protocol MoveCommand: AsyncParsableCommand {
    var target: MoveOptions { get }
    var move: SaleMove { get }
}

/// In which sale a move is made.
struct MoveOptions: ParsableArguments {
    @OptionGroup var call: CallOptions
    @Argument(help: "The sale's id.") var sale: String
    @OptionGroup var consent: ConsentOptions
}

extension MoveCommand {
    func run() async throws {
        let (options, sale) = (target.call, target.sale)
        try await options.asAccount { node in
            let actions = try await node.sale(sale).actions.filter { $0.move == move.move }
            try target.consent.obtain(
                for: "Sign '\(move.move)'?",
                showing: actions.map(\.consequence).joined(separator: "\n"),
                asJSON: options.json
            )
            let operation = try await node.move(sale: sale, move)
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { _ in "Done: \(move.move)." }
        }
    }
}

extension SaleCommand {
    struct Transfer: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As seller: say that it is handed over; the buyer's time to answer begins."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "transfer") }
    }

    struct Confirm: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As buyer: say that it is as promised; everybody is paid."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "confirm") }
    }

    struct Abort: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As seller: call the sale off before anybody has paid."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "abort") }
    }

    struct Refund: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give the buyer everything back, with the penalty for coming late."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "refund") }
    }

    struct Dispute: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As buyer: say that it is not as promised."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "dispute") }
    }

    struct Claim: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "Complete the sale once the buyer's time to answer is over."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "claim") }
    }

    struct Settle: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "Propose or accept a division of the price; the same from both sides ends it."
        )

        @OptionGroup var target: MoveOptions
        @Option(
            parsing: .unconditional,
            help: "The seller's part in basis points: 10000 is all of it."
        )
        var share: UInt64
        var move: SaleMove { SaleMove(move: "settle", share: share) }
    }

    struct Rule: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As arbiter: divide the price."
        )

        @OptionGroup var target: MoveOptions
        @Option(
            parsing: .unconditional,
            help: "The seller's part in basis points: 10000 is all of it."
        )
        var share: UInt64
        var move: SaleMove { SaleMove(move: "rule", share: share) }
    }

    struct Default: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "End a dispute nobody settled in time: half the price, and most deposits, are lost."
        )

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "execute_default") }
    }
}
