import ArgumentParser
import Client
import Foundation

/// A command that makes one move in a sale.
protocol MoveCommand: LeafCommand {
    var target: MoveOptions { get }
    var move: SaleMove { get throws }
    /// The note for the other side; `nil` for none.
    var note: String? { get }

    /// Returns the note; asks a person for one that the command should not go without.
    func note(asking node: StoaClient) async -> String?

    /// Adds the pictures that go with the note to the node, and returns their ids; `nil` if there
    /// are none.
    func pictures(addedTo node: StoaClient) async throws -> [String]?

    /// Returns the move with times that count from the chain's time, which the node is asked for.
    func timed(_ move: SaleMove, by node: StoaClient) async throws -> SaleMove

    /// Does without a move on the chain what the command is for; `false` if the sale has such a
    /// move.
    func isDoneByMail(_ node: StoaClient) async throws -> Bool
}

extension MoveCommand {
    /// The move that is called as the command.
    var move: SaleMove {
        SaleMove(move: Self._commandName.replacing("-", with: "_"))
    }

    var note: String? { nil }

    func note(asking node: StoaClient) async -> String? { note }

    func pictures(addedTo node: StoaClient) async throws -> [String]? { nil }

    func timed(_ move: SaleMove, by node: StoaClient) async throws -> SaleMove { move }

    func isDoneByMail(_ node: StoaClient) async throws -> Bool { false }
}

/// A command that makes a move with which its account can give the other side a note.
protocol NotedMoveCommand: MoveCommand {
    var words: NoteOptions { get }
}

extension NotedMoveCommand {
    var note: String? { words.note }

    /// Returns the note; on a terminal it asks for one that is missing, if the sale calls for it.
    func note(
        _ question: String,
        _ node: StoaClient,
        if isWanted: (Sale) async -> Bool
    ) async -> String? {
        let isAsked = words.note == nil && !target.consent.yes && !target.consent.dryRun
        // A move that is not open is refused first.
        guard isAsked, !target.call.json, Terminal.isInteractive,
            let sale = try? await node.sale(target.sale), await isWanted(sale)
        else { return words.note }
        return Terminal.answer(question).flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil }
    }

    func pictures(addedTo node: StoaClient) async throws -> [String]? {
        guard !words.pictures.isEmpty else { return nil }
        var ids: [String] = []
        for picture in words.pictures {
            ids.append(try await MediaInput.picture(picture, of: node))
        }
        return ids
    }
}

/// The note that comes with a move.
struct NoteOptions: ParsableArguments {
    @Option(
        name: [.customLong("note"), .customLong("reason")],
        help: """
            What the other side is to know, such as the number of a parcel or the reason for a \
            dispute. Your node sends it, encrypted, once the move is final; an arbiter who takes \
            the case gets it too.
            """
    )
    var note: String?
    @Option(
        name: .customLong("media"),
        help: """
            A picture that goes with the note, such as of a damage: a file, or the id of one that you \
            added. Repeat it for up to \(NoteOptions.picturesMax). Only those who get the note can \
            open it.
            """,
        completion: .file()
    )
    var pictures: [String] = []

    private static let picturesMax = 6

    func validate() throws {
        guard pictures.count <= Self.picturesMax else {
            throw ValidationError(
                "At most \(Self.picturesMax) pictures go with a note; these are \(pictures.count). "
                    + "Choose those that show it best."
            )
        }
        // On a terminal, some commands ask for the note; the node refuses pictures without one.
        guard pictures.isEmpty || note != nil || Terminal.isInteractive else {
            throw ValidationError(
                "Pictures go with a note: say with --note or --reason what they show."
            )
        }
    }

    /// Says that the note of an operation that has ended was not sent; `nil` if it was, or if there
    /// is none.
    static func problem(of ended: Client.Operation) -> String? {
        guard let told = ended.phases.first(where: { $0.name == .told }), told.state != .done else {
            return nil
        }
        return "The move is made, but its note was not sent: \(told.detail ?? "")"
    }
}

extension SaleMove {
    /// Returns the move as it was shown: a proposal ends when the preview says, not later.
    fileprivate func agreed(_ preview: ActionPreview) -> SaleMove {
        var agreed = self
        if move == "propose", let deadline = preview.deadline {
            agreed.until = deadline.at.unixSeconds
        }
        agreed.round = preview.round
        // The person agreed to the warnings in the preview.
        if preview.restsOnOneSource { agreed.acceptsOneSource = true }
        return agreed
    }
}

/// The options of every move: the sale, and how to ask the node.
struct MoveOptions: ParsableArguments {
    @Argument(help: .sale, completion: CompletionValues.sales) var sale: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var call: CallOptions
}

extension MoveCommand {
    func run() async throws {
        let (options, sale) = (target.call, target.sale)
        try await options.asAccount { node in
            guard try await !isDoneByMail(node) else { return }
            let node = try target.fees.applied(to: node)
            var asked = try await timed(try move, by: node)
            asked.note = await note(asking: node)
            asked.pictures = try await pictures(addedTo: node)
            let move = asked
            let preview = try await node.preview(sale: sale, move)
            try await target.consent.requireOnly(sale, preview, of: node)
            try await target.consent.obtain(for: preview, of: node, asJSON: options.json)
            let operation = try await node.move(
                sale: preview.subject ?? sale,
                move.agreed(preview),
                feeMax: preview.agreedFee
            )
            let ended = try await options.output.finish(operation, node)
            let command = SaleText.command(move.move)
            try options.output.show(ended) { _ in "Done: \(command)." }
            if let problem = NoteOptions.problem(of: ended) { options.output.note(problem) }
            await options.sayNext(after: ended, node)
        }
    }
}

extension SaleCommand {
    struct Transfer: NotedMoveCommand {
        static let configuration = command(
            """
            As seller: declare the item sent, or release the file. The buyer's time to confirm starts.
            """,
            discussion: """
                --note tells the buyer something about the parcel, such as its number, so that it can \
                be followed; on a terminal the command asks for it. Then wait until the buyer \
                confirms, or claim the money once the buyer's time has ended: stoa sale watch.

                If the sale ended with its payment, you have the money already: your node then only \
                tells the buyer, encrypted, that it was sent, or that it is ready to be picked up.

                A digital work that the buyer has to confirm is released: your node then sends its \
                key to the buyer.
                """
        )
        static let examples = [
            "sale transfer bicycle", "sale transfer bicycle --note 'DHL 00340434161094000000'",
        ]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions

        func note(asking node: StoaClient) async -> String? {
            await note("A note for the buyer, such as the parcel's number, or nothing: ", node) {
                // Only what is shipped has a parcel.
                guard $0.isToBeSent != true else { return true }
                guard $0.actions.contains(where: { $0.move == "transfer" }) else { return false }
                return await SaleCommand.listing(of: $0, node)?.content.delivery == "shipping"
            }
        }

        /// Tells the buyer of a sale that has ended with its payment that the item was sent, or can
        /// be picked up.
        func isDoneByMail(_ node: StoaClient) async throws -> Bool {
            guard let sale = try? await node.sale(target.sale), sale.stage == "over",
                sale.endsWithPayment
            else { return false }
            // Otherwise the node refuses and says why, unless it was told in these words already.
            let isReady = await isToBePickedUp(sale, node)
            let isToBeTold = sale.isToBeSent == true || isReady
            guard isToBeTold || !target.consent.dryRun else { return false }
            let note = await note(asking: node)
            var notice = SentNotice(note: note)
            let news = isReady ? "it is ready to be picked up" : "it was sent"
            if isToBeTold {
                try await obtainConsent(toTell: news, note, to: sale.buyer, node)
                notice.pictures = try await pictures(addedTo: node)
            }
            try await node.tellSent(notice, forSale: sale.id)
            try target.call.output.show(try await node.sale(sale.id)) { _ in
                "The buyer is told that \(news)."
            }
            target.call.say(next: [NextStep(.status)])
            return true
        }

        /// Whether the buyer waits for the seller's word that the item can be picked up.
        private func isToBePickedUp(_ sale: Sale, _ node: StoaClient) async -> Bool {
            guard sale.isToBeSent != true, sale.buyer != nil,
                !sale.history.contains(where: { $0.by == sale.seller && $0.note != nil })
            else { return false }
            return await SaleCommand.listing(of: sale, node)?.content.delivery == "pickup"
        }

        private func obtainConsent(
            toTell news: String,
            _ note: String?,
            to buyer: String?,
            _ node: StoaClient
        ) async throws {
            let names = target.call.json ? .none : await Names.of(node)
            let buyer = buyer.map { ", \(names.text($0))," } ?? ""
            let text = note.map { ": '\(DisplayText.setIn($0))'" } ?? "."
            try target.consent.obtain(
                for: "Tell the buyer?",
                showing: "Your node tells the buyer\(buyer) encrypted, that \(news)\(text)",
                asJSON: target.call.json
            )
        }
    }

    struct Decline: NotedMoveCommand {
        static let configuration = command(
            "As seller: decline a paid sale. Nobody pays a penalty.",
            discussion: """
                The buyer gets back everything that was paid, and you get your deposit. Your \
                reputation shows the declined sale. You can decline until your time to send the \
                item has ended.
                """
        )
        static let examples = ["sale decline bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions

        func note(asking node: StoaClient) async -> String? {
            await note("The reason, for the buyer, or nothing: ", node) {
                $0.actions.contains { $0.move == "decline" }
            }
        }
    }

    struct Relist: NotedMoveCommand {
        static let configuration = command(
            "As seller: refund a paid sale and offer the item again.",
            discussion: """
                The buyer gets back everything that was paid. Your deposit and the token stay, and \
                anyone can buy until the offer ends. You can do this until your time to send the \
                item has ended.
                """
        )
        static let examples = ["sale relist bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions

        func note(asking node: StoaClient) async -> String? {
            await note("The reason, for the buyer, or nothing: ", node) {
                $0.actions.contains { $0.move == "relist" }
            }
        }
    }

    struct Confirm: NotedMoveCommand {
        static let configuration = command(
            "As buyer: confirm that the item is as promised. Everybody is paid."
        )
        static let examples = ["sale confirm bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions
    }

    struct Abort: MoveCommand {
        static let configuration = command(
            "As seller: cancel the sale before anyone has paid or bid.",
            discussion: """
                The listing stays visible to people who search for ended ones. To remove it too, use \
                'stoa listing withdraw' instead.
                """
        )
        static let examples = ["sale abort bicycle"]

        @OptionGroup var target: MoveOptions
    }

    struct Refund: NotedMoveCommand {
        static let configuration = command(
            "Pay everything back to the buyer, with the penalty for being late.",
            discussion: """
                The seller can do this once the item is declared sent, and anyone can once the \
                time to send it has ended. Until then the seller can decline, which costs no \
                penalty.
                """
        )
        static let examples = ["sale refund bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions
    }

    struct Dispute: NotedMoveCommand {
        static let configuration = command(
            "As buyer: open a dispute because the item is not as promised.",
            discussion: """
                Say with --reason what is wrong, and show it with --media: both go, encrypted, to the \
                seller and to an arbiter who takes the case; on a terminal the command asks for the \
                reason. 'stoa sale pictures' shows the pictures of both sides. Later you can say more \
                with 'stoa sale propose --reason'.
                """
        )
        static let examples = [
            "sale dispute bicycle",
            "sale dispute bicycle --reason 'The frame is cracked.' --media frame.jpg",
        ]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions

        func note(asking node: StoaClient) async -> String? {
            await note("What is wrong, for the seller and an arbiter, or nothing: ", node) {
                $0.actions.contains { $0.move == "dispute" }
            }
        }
    }

    struct Claim: NotedMoveCommand {
        static let configuration = command(
            "Complete the sale after the buyer's time to confirm or dispute has ended."
        )
        static let examples = ["sale claim bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions
    }

    struct Take: NotedMoveCommand {
        static let configuration = command(
            "As arbiter: take a dispute. You must take it before you can rule.",
            discussion: """
                From then on you earn your fee, whether you rule or the parties settle. If you do \
                not rule in time and the default is executed, you get nothing.
                """
        )
        static let examples = ["sale take bicycle"]

        @OptionGroup var words: NoteOptions
        @OptionGroup var target: MoveOptions
    }

    struct Rule: NotedMoveCommand {
        static let configuration = command(
            "As arbiter: end a dispute that you took by splitting the price."
        )
        static let examples = ["sale rule bicycle --share 50%"]

        @OptionGroup var words: NoteOptions
        @Option(
            parsing: .unconditional,
            help: "Required. The seller's share of the price, such as 40%."
        )
        var share: ShareText
        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "rule", share: share.basisPoints) }

        func validate() throws { try share.checkPart() }
    }

    struct Default: MoveCommand {
        static let configuration = command(
            "End a dispute that was not settled or ruled in time; both sides lose.",
            discussion: """
                Each side gets half of the price, and loses 75% of the price from its deposit. An \
                arbiter gets nothing.
                """
        )
        static let examples = ["sale default bicycle"]

        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "execute_default") }
    }
}
