import ArgumentParser
import Client

/// A command that makes one move in a sale.
protocol MoveCommand: AsyncParsableCommand {
    var options: CallOptions { get }
    var sale: String { get }
    var move: SaleMove { get }
}

extension MoveCommand {
    func run() async throws {
        try await options.asAccount { node in
            let operation = try await node.move(sale: sale, move)
            let ended = try await options.output.finish(operation, node)
            try options.output.show(ended) { _ in "Done: \(move.move)." }
        }
    }
}

extension SaleCommand {
    struct Transfer: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As seller: say that it is on its way; the item goes into the escrow."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "transfer") }
    }

    struct Confirm: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As buyer: say that it is as promised; everybody is paid."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "confirm") }
    }

    struct Abort: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As seller: call the sale off before anybody has paid."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "abort") }
    }

    struct Refund: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give the buyer everything back."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "refund") }
    }

    struct Dispute: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As buyer: say that it is not as promised."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "dispute") }
    }

    struct Claim: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As seller: take the payment once the buyer's time is over."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "claim") }
    }

    struct Settle: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "Propose or accept a division of the price; the same from both sides ends it."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        @Option(help: "The seller's part in basis points: 10000 is all of it.") var share: UInt64
        var move: SaleMove { SaleMove(move: "settle", share: share) }
    }

    struct Rule: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "As arbiter: divide the price."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        @Option(help: "The seller's part in basis points: 10000 is all of it.") var share: UInt64
        var move: SaleMove { SaleMove(move: "rule", share: share) }
    }

    struct Default: MoveCommand {
        static let configuration = CommandConfiguration(
            abstract: "Carry out what the terms say once the arbiter's time is over."
        )

        @OptionGroup var options: CallOptions
        @Argument var sale: String
        var move: SaleMove { SaleMove(move: "execute_default") }
    }
}
