package import Ethereum
package import Keys
package import Market

extension Artifact {
    package static let courses = embedded(EmbeddedArtifacts.courses)
}

/// The market's contract for courses, whose teachers are paid by their students' evaluations.
///
/// Source: Sources/Contracts/Vyper/Courses.vy; Docs/contracts.md, section 12.
package struct CoursesContract: MoneyContract {
    package typealias Event = CourseEvent

    package static let kind = SaleKind.enrolment
    package static let artifact = Artifact.courses
    package static let topics = followedTopics()

    package let address: Address

    package init(address: Address) { self.address = address }

    /// Encodes the constructor's arguments.
    ///
    /// - Parameters:
    ///   - platform: The account that receives the platform's part.
    ///   - tokens: The ERC-20 tokens accepted besides the chain's native currency, at most 8.
    /// - Returns: The arguments, which follow the creation code.
    package static func arguments(platform: Address, tokens: [Address]) -> [UInt8] {
        encodedArguments([.address(platform), .array(tokens.map { .address($0) })])
    }

    /// Encodes the constructor's arguments; courses have neither an item nor fees of a sale.
    package static func arguments(item: Address, fees: MarketFees, tokens: [Address]) -> [UInt8] {
        arguments(platform: fees.platform, tokens: tokens)
    }

    private static let moves = functions([
        "repeat", "enrol", "leave", "begin", "cancel", "refund", "evaluate", "settle",
    ])

    /// Returns the course that a call is about, which is its first argument.
    ///
    /// - Returns: `nil` for a call about no course, or one that opens a course: its teacher is the
    ///   sender, whom the call does not name.
    package func sale(in call: [UInt8], on chain: ChainID) -> SaleID? {
        Self.firstArgument(of: call, to: Self.moves) { reader throws(ABIError) in
            SaleID(try reader.bytes32())
        }
    }

    package func difference(
        from contract: DeployedMarket.Contract,
        in market: DeployedMarket,
        _ client: ChainClient
    ) async throws -> MarketDifference? {
        try await moneyDifference(from: contract, in: market, client)
    }

    package func stored(_ sale: SaleID) -> ContractQuery<(any ContractSale)?> {
        state(sale).map { $0 }
    }

    /// Creates a course with its first round; the caller is the teacher.
    ///
    /// - Parameters:
    ///   - salt: Distinguishes courses that are equal otherwise.
    ///   - promise: The hash of the listing that the course fulfils.
    ///   - terms: The terms of the first round.
    /// - Returns: The call.
    package func open(salt: Bytes32, promise: Bytes32, terms: CourseTerms) -> ContractCall {
        call("open", [.bytes32(salt), .bytes32(promise), terms.abiValue])
    }

    /// Opens the next round, under its own terms.
    package func `repeat`(_ course: SaleID, terms: CourseTerms) -> ContractCall {
        call("repeat", [.bytes32(course.hash), terms.abiValue])
    }

    /// Pays the price for a seat.
    ///
    /// If the currency is a token, the contract must be approved for the price first.
    package func enrol(_ course: SaleID, round: UInt64, terms: CourseTerms) -> ContractCall {
        call("enrol", arguments(course, round, terms), paying: terms.price, in: terms.currency)
    }

    /// Gives up the caller's seat; the price becomes a credit.
    package func leave(_ course: SaleID, round: UInt64, terms: CourseTerms) -> ContractCall {
        call("leave", arguments(course, round, terms))
    }

    package func begin(_ course: SaleID, round: UInt64, terms: CourseTerms) -> ContractCall {
        call("begin", arguments(course, round, terms))
    }

    package func cancel(_ course: SaleID, round: UInt64, terms: CourseTerms) -> ContractCall {
        call("cancel", arguments(course, round, terms))
    }

    /// Credits the caller the price of a cancelled round.
    package func refund(_ course: SaleID, round: UInt64, terms: CourseTerms) -> ContractCall {
        call("refund", arguments(course, round, terms))
    }

    /// Rates a round.
    package func evaluate(
        _ course: SaleID,
        round: UInt64,
        terms: CourseTerms,
        points: CoursePoints
    ) -> ContractCall {
        let values = points.values.map { ABIValue.small($0) }
        return call("evaluate", arguments(course, round, terms) + [.array(values)])
    }

    /// Divides the money of a round between teacher and platform.
    package func settle(_ course: SaleID, round: UInt64, terms: CourseTerms) -> ContractCall {
        call("settle", arguments(course, round, terms))
    }

    private func arguments(
        _ course: SaleID,
        _ round: UInt64,
        _ terms: CourseTerms
    ) -> [ABIValue] {
        [.bytes32(course.hash), .small(round), terms.abiValue]
    }
}

/// Converts between the terms and the contract's struct `Terms`.
extension CourseTerms {
    var abiValue: ABIValue {
        .tuple([
            .address(currency.address), .amount(price), .small(seats), .small(start.seconds),
            .small(end.seconds), .small(beginGrace.wholeSeconds),
            .small(ratingWindow.wholeSeconds),
        ])
    }

    init(_ reader: inout ABIValueReader) throws(ABIError) {
        self.init(
            currency: try reader.currency(),
            price: try reader.amount(),
            seats: try reader.small("a number of seats"),
            start: try reader.time(),
            end: try reader.time(),
            beginGrace: try reader.duration(),
            ratingWindow: try reader.duration()
        )
    }
}
