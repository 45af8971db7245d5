import ArgumentParser
import Client

/// The command `stoa course …`.
struct CourseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "course",
        abstract: "Offer a course, enrol, evaluate it, and settle its rounds.",
        discussion: """
            Find and show a course like any other listing or sale: stoa listing search --category \
            course --tag weekend, stoa sale show. Students review it with stoa review write.
            """,
        subcommands: [
            CourseCreate.self, Enrol.self, Leave.self, Begin.self, Cancel.self, Refund.self,
            Evaluate.self,
            Settle.self, Repeat.self, CourseStudents.self, CourseAttendance.self,
        ]
    )

    struct Enrol: AccountCall, ListingNaming {
        static let configuration = command(
            "As student: show the consequences, then pay for a seat.",
            discussion: """
                Until 24 hours before the start you can leave and get the price back. If the \
                teacher does not begin in time, anyone can cancel the round, and you also get the \
                price back. Once it has begun, nothing is returned. Each round has its own price and \
                dates, so --yes needs the whole id of the listing, --round and --price. --dry-run \
                ends with that command.
                """
        )
        static let examples = ["course enrol knots"]

        @Argument(help: .listing) var listing: String
        @Flag(help: "Enrol although the teacher has since changed the listing.")
        var acceptChanges = false
        @Option(
            parsing: .unconditional,
            help: "The number of the round that you mean, from 0. Needed with --yes."
        )
        var round: UInt64?
        @OptionGroup var agreed: AgreedPriceOption
        @OptionGroup var consent: ConsentOptions
        @OptionGroup var fees: FeeOptions
        @OptionGroup var options: CallOptions

        func validate() throws {
            guard consent.yes else { return }
            guard IDText.isWholeListing(listing), round != nil else {
                throw ValidationError(
                    "With --yes, give the whole id of the listing and the round with --round: other "
                        + "listings can have the same words, and each round has its own price and "
                        + "dates. --dry-run ends with that command."
                )
            }
            try agreed.check(consent)
        }

        func call(_ node: StoaClient) async throws {
            let node = try fees.applied(to: node)
            // Words of a title find any listing, and a purchase of goods is final.
            let found = try await node.listing(listing, onSale: true)
            try PurchaseKind.enrol.require(found)
            var purchase = Purchase(listing: found.id, acceptsChanges: acceptChanges)
            let ended = try await consent.buy(&purchase, of: node, options) { preview in
                try require(preview)
            } command: {
                Self.ready($0, listing: found.id)
            }
            try options.output.show(ended) {
                "You are enrolled. The course is \($0.subject ?? "?")"
            }
            await options.sayNext(after: ended, node)
        }

        /// Refuses another round or price than a person has entered.
        func require(_ preview: ActionPreview) throws {
            if let round, preview.round != round {
                let open = preview.round.map { "Round \($0) is the last one" } ?? "It has no rounds"
                throw Failure(.refused, "\(open), not round \(round). Nothing was signed.")
            }
            try agreed.require(preview, isUnasked: consent.yes)
        }

        /// Returns the command that enrols in the shown round only; `nil` without a round.
        static func ready(_ preview: ActionPreview, listing: String) -> String? {
            guard let round = preview.round,
                let price = preview.leaves.first(where: { $0.purpose == "price" })
            else { return nil }
            let unit = CurrencyUnits.on(preview.chain) { CurrencyUnits.current[price.currency] }
            let amount = CurrencyUnits.on(preview.chain) {
                MoneyText.exact(price.amount, price.currency)
            }
            // A token without a symbol is named by its address.
            let words =
                unit.symbol == nil
                ? "\(amount.prefix { $0 != " " }) --currency \(price.currency)" : "'\(amount)'"
            return "  to enrol in this round only: stoa course enrol \(listing) --round \(round) "
                + "--price \(words) --yes"
        }
    }

    struct Leave: MoveCommand {
        static let configuration = command(
            """
            As student: give up your seat and get the price back, until 24 hours before the \
            start.
            """
        )
        static let examples = ["course leave knots"]

        @OptionGroup var target: MoveOptions
    }

    struct Begin: MoveCommand {
        static let configuration = command(
            "As teacher: begin the round, once its start time has come."
        )
        static let examples = ["course begin knots"]

        @OptionGroup var target: MoveOptions
    }

    struct Cancel: MoveCommand {
        static let configuration = command(
            "Cancel an open round, so that its students get the price back.",
            discussion: """
                The teacher can do this until the round has begun, and anyone can once the time to \
                begin has ended.
                """
        )
        static let examples = ["course cancel knots"]

        @OptionGroup var target: MoveOptions
    }

    struct Refund: MoveCommand {
        static let configuration = command(
            "As student: get the price of a cancelled round back, as a credit."
        )
        static let examples = ["course refund knots", "course refund 9ab01c22 --round 0"]

        @Option(
            parsing: .unconditional,
            help: "The number of the round, from 0. Defaults to the first that you can refund."
        )
        var round: UInt64?
        @OptionGroup var target: MoveOptions
        var move: SaleMove { SaleMove(move: "refund", round: round) }
    }

    struct Settle: MoveCommand {
        static let configuration = command(
            "Divide the money of a round once the time to rate has ended."
        )
        static let examples = ["course settle knots"]

        @OptionGroup var target: MoveOptions
    }

    struct Repeat: MoveCommand {
        static let configuration = command(
            """
            As teacher: open the next round, with its own terms. A course has at most five \
            rounds.
            """
        )
        static let examples = [
            "course repeat knots --seats 20 --starts 2027-05-01 --ends 2027-05-15 --price 0.06"
        ]

        @Option(parsing: .unconditional, help: "The price of a seat; defaults to the last round's.")
        var price: String?
        @Option(
            help: """
                The currency of the price: 'native', a symbol or a token's address. Defaults to the one \
                that the price names, else to 'native'.
                """
        )
        var currency: String?
        @OptionGroup var terms: CourseOptions
        @OptionGroup var target: MoveOptions

        func validate() throws {
            try Needs.check(terms.needs, canAsk: false)
            guard currency == nil || price != nil else {
                throw ValidationError("Give the price of a seat in that currency with '--price'.")
            }
        }

        var move: SaleMove {
            get throws {
                let chain = CurrencyUnits.current.chain(nil, in: price, currency)
                let money = try CurrencyUnits.on(chain) {
                    let currency = try MoneyText.currency(named: currency, in: price)
                    return try price.map {
                        Money(amount: try MoneyText.units($0, of: currency), currency: currency)
                    }
                }
                return SaleMove(move: "repeat", price: money, course: terms.terms)
            }
        }
    }
}

/// The options for the terms of a course's round.
struct CourseOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: "Required. How many students can enrol, at most 10000.")
    var seats: UInt64?
    @Option(
        parsing: .unconditional,
        help: "Required. When the course starts, in UTC: 2027-01-31 or '2027-01-31 18:00'."
    )
    var starts: TimeText?
    @Option(parsing: .unconditional, help: "Required. When the course ends, in the same form.")
    var ends: TimeText?
    @Option(
        parsing: .unconditional,
        help: "How long after the start you can begin, from 1d to 30d. Defaults to 3d."
    )
    var beginTime: DurationText?
    @Option(
        parsing: .unconditional,
        help: "How long after the end students can rate, from 1d to 60d. Defaults to 14d."
    )
    var ratingTime: DurationText?

    /// The options that a round needs, as the usage shows them, and whether each was given.
    var needs: KeyValuePairs<String, Bool> {
        [
            "--seats <seats>": seats != nil, "--starts <starts>": starts != nil,
            "--ends <ends>": ends != nil,
        ]
    }

    /// Returns the options with the answers of the person whom it asks for what is missing.
    func answered() async throws -> CourseOptions {
        var options = self
        if seats == nil {
            let answer: UInt64 = try await Needs.answer(
                "How many students can enrol, at most 10000: ",
                form: "a whole number from 1 to 10000"
            ) { UInt64($0).flatMap { (1...10_000).contains($0) ? $0 : nil } }
            options.seats = answer
        }
        if starts == nil {
            let answer: TimeText = try await Needs.answer(
                "When it starts, in UTC, such as 2027-01-31 18:00: ",
                form: Self.timeForm
            ) { TimeText(argument: $0) }
            options.starts = answer
        }
        if ends == nil {
            let start = options.starts?.seconds ?? 0
            let answer: TimeText = try await Needs.answer(
                "When it ends, in the same form: ",
                form: Self.timeForm
            ) { text in
                let end = TimeText(argument: text)
                guard end.map({ $0.seconds > start }) ?? true else {
                    throw ValidationError(
                        "The course must end after its start, \(TimeText.text(start))."
                    )
                }
                return end
            }
            options.ends = answer
        }
        return options
    }

    private static let timeForm = "a time such as 2027-01-31 or 2027-01-31 18:00"

    var terms: CourseTerms {
        CourseTerms(
            seats: seats ?? 0,
            startsAt: starts?.seconds ?? 0,
            endsAt: ends?.seconds ?? 0,
            beginSeconds: beginTime?.seconds,
            ratingSeconds: ratingTime?.seconds
        )
    }
}

/// The command `stoa course create`.
struct CourseCreate: AccountCall {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Offer a course: open its first round and publish the listing."
    )
    static let examples = [
        "course create 'Knots for sailors' --price 0.05 --seats 12 --starts 2027-03-01 "
            + "--ends 2027-03-15 --tag knots --description 'Ten knots in ten evenings.'"
    ]

    @Argument(help: "Required. The title, on one line.") var title: String?
    @Option(
        parsing: .unconditional,
        help: "Required. The price of a seat, such as 0.05 or '50 gwei'."
    )
    var price: String?
    @Option(help: "The currency: 'native', a symbol or a token's address. Defaults to the price's.")
    var currency: String?
    @OptionGroup var chain: ChainOptions
    @Option(help: "Required. Everything that a student should know besides the curriculum.")
    var description: String?
    @Option(
        name: .customLong("session"),
        help: """
            A session of the curriculum, as 'TITLE' or 'TITLE: CONTENT'. Can be repeated, in their \
            order, up to 40 times.
            """
    )
    var sessions: [String] = []
    @Option(
        name: .customLong("tag"),
        help: """
            A word to find the course by, such as its kind, its target group or its period. Can be \
            repeated, up to five times. Defaults to 'course'.
            """
    )
    var tags: [String] = []
    @Option(help: "Where it takes place. Defaults to online.") var place: String?
    @OptionGroup var terms: CourseOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fees: FeeOptions
    @OptionGroup var options: CallOptions

    func validate() throws {
        try CourseText.check(sessions)
        guard place != "" else {
            throw ValidationError(
                "--place is empty. Name a place, or leave it out for an online course."
            )
        }
        let canAsk = Needs.canAsk(asJSON: options.json, isAgreed: consent.yes)
        try Needs.check(
            [
                "<title>": title != nil, "--price <price>": price != nil,
                "--description <description>": description != nil,
            ],
            canAsk: canAsk
        )
        try Needs.check(terms.needs, canAsk: canAsk)
    }

    /// Returns the command with the answers of the person whom it asks for what is missing.
    private func answered() async throws -> CourseCreate {
        var command = self
        if title == nil {
            command.title = try await ListingNeeds.title.answer()
        }
        if price == nil {
            let asked = command
            command.price = try await ListingNeeds.price.answer(
                "Price of a seat, such as 0.05: "
            ) { text in
                var priced = asked
                priced.price = text
                try ListingNeeds.check(
                    try CurrencyUnits.on(chain.meant(text, currency)) { try priced.money() }
                )
            }
        }
        if description == nil {
            command.description = try await ListingNeeds.description.answer(
                "Description, everything that a student should know: "
            )
        }
        command.terms = try await command.terms.answered()
        return command
    }

    private func money() throws -> Money {
        let currency = try MoneyText.currency(named: currency, in: price)
        return Money(amount: try MoneyText.units(price ?? "", of: currency), currency: currency)
    }

    private func content() throws -> ListingContent {
        let content = ListingContent(
            type: "course",
            title: title ?? "",
            description: description ?? "",
            category: "course",
            tags: tags.map(StoredWord.tag),
            curriculum: sessions.isEmpty ? nil : sessions.map(CourseText.session),
            price: try money(),
            chain: chain.meant(price, currency),
            payment: "enrolment",
            delivery: place == nil ? "online" : "pickup",
            pickupPlace: place,
            course: terms.terms
        )
        return ListingNeeds.completed(content)
    }

    func call(_ node: StoaClient) async throws { try await answered().open(on: node) }

    private func open(on node: StoaClient) async throws {
        let node = try fees.applied(to: node)
        let content = try CurrencyUnits.on(chain.meant(price, currency)) { try self.content() }
        let preview = try await node.preview(content)
        try await consent.obtain(for: preview, of: node, asJSON: options.json)
        let operation = try await node.list(content, feeMax: preview.agreedFee)
        let ended = try await options.output.finish(operation, node)
        try options.output.show(ended) { "Listed as \($0.subject ?? "?")" }
        await options.sayNext(after: ended, node)
    }
}
