import ArgumentParser
import Client

extension SaleCommand {
    struct Propose: NotedMoveCommand {
        static let configuration = command(
            "Propose how to split the price; the other side can agree.",
            discussion: """
                A proposal replaces your earlier one. It ends at the time that you give, when you \
                withdraw it, or when a move changes the sale.
                """
        )
        static let examples = [
            "sale propose bicycle --share 50%", "sale propose bicycle --share 50% --for 7d",
        ]

        @OptionGroup var words: NoteOptions
        @Option(
            parsing: .unconditional,
            help: "Required. The seller's share of the price, such as 40%."
        )
        var share: ShareText
        @OptionGroup var period: PeriodOptions
        @OptionGroup var target: MoveOptions
        var move: SaleMove {
            SaleMove(move: "propose", share: share.basisPoints, until: period.until?.seconds)
        }

        func timed(_ move: SaleMove, by node: StoaClient) async throws -> SaleMove {
            guard let duration = period.duration else { return move }
            var timed = move
            timed.until = duration.end(from: try await node.sale(target.sale).asOf)
            return timed
        }

        func validate() throws { try share.checkPart() }
    }

    struct Agree: NotedMoveCommand {
        static let configuration = command(
            "Accept the other side's proposal by repeating its share. The sale ends."
        )
        static let examples = ["sale agree bicycle --share 50%"]

        @OptionGroup var words: NoteOptions
        @Option(
            parsing: .unconditional,
            help:
                "Required. The seller's share of the price that the other side proposes, such as 40%."
        )
        var share: ShareText
        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "agree", share: share.basisPoints) }

        func validate() throws { try share.checkPart() }
    }

    struct WithdrawProposal: NotedMoveCommand {
        static let configuration = command(
            "Withdraw your proposal, so that the other side can no longer agree to it."
        )
        static let examples = ["sale withdraw-proposal bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions
    }
}

/// The options for the end of a proposal: a duration from the chain's present time, or a time.
struct PeriodOptions: ParsableArguments {
    @Option(
        name: .customLong("for"),
        parsing: .unconditional,
        help: """
            How long the other side can agree, such as 3d, the default; at most 60d. It counts from \
            the chain's time.
            """
    )
    var duration: DurationText?
    @Option(
        parsing: .unconditional,
        help: "Until when the other side can agree, in UTC: 2027-01-31 or '2027-01-31 18:00'."
    )
    var until: TimeText?

    func validate() throws {
        guard until == nil || duration == nil else {
            throw ValidationError("Give --for or --until, not both.")
        }
    }
}
