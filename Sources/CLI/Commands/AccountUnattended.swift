import ArgumentParser
import Client
import Setup

/// The command `stoa account unattended …`.
struct AccountUnattended: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unattended",
        abstract: "Leave the node alone: let it make some moves while nobody is signed in.",
        discussion: """
            deliver: send the key of a digital work to its buyer. claim: take what is due to you \
            after a deadline, also by a dispute's default or the settlement of a round. end: end a \
            sale whose time is over, also one that nobody has bought. refund: take back what you \
            paid for something that did not come. Nothing else is signed: no purchase, transfer, \
            listing or message.
            """,
        subcommands: [On.self, Off.self, Show.self]
    )

    struct On: LeafCommand {
        static let configuration = command(
            "Let the node make moves for you while nobody is signed in.",
            discussion: """
                This replaces what you have allowed before. Docs/operations.md, section 3.6, says \
                what somebody who takes the node's disk can do then.
                """
        )
        static let examples = [
            "account unattended on --moves deliver,claim,end,refund --until 60d"
        ]

        @OptionGroup var secret: PasswordOptions
        @Argument(help: .ownAccount) var account: String?
        @Option(help: "Required. The moves, such as deliver,claim,end,refund.")
        var moves: String?
        @Option(help: "Required. For how long from now, at most 365d.") var until: DurationText?
        @OptionGroup var options: CallOptions

        func validate() throws {
            try Needs.check(
                ["--moves <moves>": moves != nil, "--until <until>": until != nil],
                canAsk: Needs.canAsk(asJSON: options.json) && secret.isTyped
            )
        }

        /// Returns the moves and the time, for which it asks if they are not given.
        ///
        /// - Throws: `ValidationError` for moves or a time that the node refuses.
        private func answered() async throws -> ([String], DurationText) {
            var given = (try moves.map(UnattendedText.moves), until)
            if let until { try UnattendedText.check(until) }
            if given.0 == nil {
                Terminal.warn(UnattendedText.explanation)
                let chosen: [String] = try await Needs.answer(
                    "Moves, one or more with commas between them, such as deliver,claim: "
                ) { try UnattendedText.moves($0) }
                given.0 = chosen
            }
            if given.1 == nil {
                let chosen: DurationText = try await Needs.answer(
                    "For how long, such as 30d: ",
                    form: "a time such as 30d or 12h"
                ) { text in
                    let time = DurationText(argument: text)
                    if let time { try UnattendedText.check(time) }
                    return time
                }
                given.1 = chosen
            }
            return (given.0 ?? [], given.1 ?? DurationText(seconds: 0))
        }

        func run() async throws {
            try await options.requireNode()
            let account = try await options.ownAccount(account)
            let (moves, until) = try await answered()
            if secret.isTyped {
                var earlier: UnattendedMoves?
                // An account without any, or of another caller, has none to replace.
                try? await options.asAnyone { earlier = try await $0.unattendedMoves(of: account) }
                Terminal.warn(
                    UnattendedText.meaning(
                        of: moves.joined(separator: ", "),
                        for: until,
                        account,
                        replacing: earlier
                    )
                )
            }
            let request = UnattendedRequest(
                password: try secret.read(isNew: false),
                moves: moves,
                seconds: until.seconds
            )
            try await options.asOperator { node in
                let left = try await node.leaveAlone(account, request)
                try options.output.show(left) { UnattendedText.text($0, account) }
            }
        }
    }

    struct Off: LeafCommand {
        static let configuration = command(
            "Let the node make no more moves while nobody is signed in, and remove the sealed key."
        )
        static let examples = ["account unattended off", "account unattended off anna"]

        @Argument(help: .ownAccount) var account: String?
        @OptionGroup var options: CallOptions

        func run() async throws {
            let account = try await options.ownAccount(account)
            try await options.asAnyone { node in
                try await node.endUnattended(account)
                options.output.note(UnattendedText.text(UnattendedMoves(moves: []), account))
            }
        }
    }

    struct Show: LeafCommand {
        static let configuration = command(
            "Show the moves that the node makes for you while nobody is signed in."
        )
        static let examples = ["account unattended show"]

        @Argument(help: .ownAccount) var account: String?
        @OptionGroup var options: CallOptions

        func run() async throws {
            let account = try await options.ownAccount(account)
            try await options.asAnyone { node in
                let left = try await node.unattendedMoves(of: account)
                try options.output.show(left) { UnattendedText.text($0, account) }
            }
        }
    }
}

extension ArgumentHelp {
    fileprivate static let ownAccount: ArgumentHelp =
        "The account's name or address. Defaults to the account that commands act as."
}

extension CallOptions {
    /// The account of an argument, else the one that commands act as.
    fileprivate func ownAccount(_ argument: String?) async throws -> String {
        if let name = argument ?? standardAccount { return name }
        if let entry = try await session() { return entry.session.account.name }
        throw Failure(.usage, "Name an account: nobody is signed in here.")
    }
}

/// Formats what accounts have left to the node as text.
enum UnattendedText {
    /// Says to a person who chooses some what each move does.
    static let explanation = """
        While nobody is signed in, the node can make these moves for you:
          deliver  send the key of a digital work to its buyer
          claim    take what is due to you after a deadline
          end      end a sale whose time is over, also one that nobody has bought
          refund   take back what you paid for something that did not come
        """

    /// Reads moves with commas between them, each once.
    ///
    /// - Throws: `ValidationError` for a move that there is not.
    static func moves(_ text: String) throws -> [String] {
        let moves = text.lowercased().split { $0 == "," || $0.isWhitespace }.map(String.init)
        let known = UnattendedRequest.known
        if let other = moves.first(where: { !known.contains($0) }) {
            throw ValidationError(
                "\(other.quoted) is not such a move. There are \(known.joined(separator: ", "))."
            )
        }
        let chosen = known.filter(moves.contains)
        guard !chosen.isEmpty else {
            throw ValidationError("Name one or more of \(known.joined(separator: ", ")).")
        }
        return chosen
    }

    /// - Throws: `ValidationError` for no time, and for more than a year.
    static func check(_ time: DurationText) throws {
        guard (1...UInt64(UnattendedRequest.secondsMax)).contains(time.seconds) else {
            throw ValidationError("The time must be at most 365d, and more than 0.")
        }
    }

    /// Says what a person agrees to by typing the password; `earlier` are the moves that are
    /// allowed now.
    static func meaning(
        of moves: String,
        for time: DurationText,
        _ account: String,
        replacing earlier: UnattendedMoves? = nil
    ) -> String {
        (earlier.flatMap(words).map { "This replaces: \($0).\n" } ?? "") + """
            The node keeps the key of \(account) for \(DurationText.text(time.seconds)), sealed under \
            its own key, also over restarts. It signs only these moves with it: \(moves).
            Whoever takes the node's disk or a copy of its folder in that time can open the key, and \
            sign anything with it.
            It ends at once with 'stoa account unattended off', and with a new password.
            """
    }

    static func text(_ left: UnattendedMoves, _ account: String) -> String {
        let none = "While nobody is signed in to \(account), the node makes no move for it."
        if left.isDamaged == true { return "\(none) \(damage)" }
        guard let words = words(left) else { return none }
        return "While nobody is signed in to \(account), the node makes these moves: \(words)."
    }

    /// Says what to do about a damaged file.
    static let damage =
        "The file with its sealed key is damaged or was changed. Allow the moves again with 'stoa "
        + "account unattended on', or remove the file with 'stoa account unattended off'."

    /// `deliver, end until 2026-11-27 12:00:00Z`; `nil` for none.
    static func words(_ left: UnattendedMoves) -> String? {
        if left.isDamaged == true { return "nothing, because its file is damaged" }
        guard let until = left.until, !left.moves.isEmpty else { return nil }
        return "\(left.moves.joined(separator: ", ")) until \(TimeText.text(until))"
    }
}
