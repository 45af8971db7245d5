import Contracts
import Ethereum
import Keys
import Market
import Testing

/// What a node reads of a course before a move, compared with the events that it was told.
struct CourseStateTests {
    private typealias Samples = ItemSaleSamples

    private static let promise = Bytes32(repeating: 4)
    private static let terms = Samples.course(.native)

    private let contract = CoursesContract(address: Samples.contract)
    private let function: ABIFunction
    private let course: Course

    init() throws {
        function = try Artifact.courses.interface.function("state")
        let reference = ContractReference(chain: ChainID(31_337), address: Samples.contract)
        let opened = CourseEvent.Opened(
            teacher: Samples.seller,
            promise: Self.promise,
            salt: .zero,
            round: 0,
            terms: Self.terms
        )
        let id = SaleID(
            contract: reference,
            teacher: Samples.seller,
            salt: .zero,
            promise: Self.promise
        )
        course = try Course(
            opening: CourseEvent(sale: id, position: Samples.position, change: .opened(opened)),
            contract: reference,
            platform: number(8).address
        )
    }

    /// What a contract stores of a course and its last round; as it was opened, unless changed.
    private struct Answer {
        var teacher = Samples.seller
        var promise = CourseStateTests.promise
        var rounds: UInt64 = 1
        var points: UInt64 = 0
        var raters: UInt64 = 0
        var status: UInt64 = 1
        var hash = CourseStateTests.terms.hash
        var enrolled: UInt64 = 0
        var rated: UInt64 = 0
        var given: UInt64 = 0
        var price: UInt64 = 10_000

        var values: [ABIValue] {
            let sums = [ABIValue](repeating: .small(points), count: 5)
            return [
                .tuple([
                    .address(teacher), .bytes32(promise), .small(rounds), .array(sums),
                    .small(raters),
                ]),
                .tuple([
                    .small(status), .bytes32(hash), .small(enrolled), .small(rated), .small(given),
                    .small(price),
                ]),
            ]
        }
    }

    private func stored(
        _ change: (inout Answer) -> Void = { _ in }
    ) throws -> (any ContractSale)? {
        var answer = Answer()
        change(&answer)
        let query = contract.stored(course.reference.id)
        return try query.decode(function.encodeResult(answer.values))
    }

    @Test func `reads a course's state by its id, in agreement with its events`() throws {
        let query = contract.stored(course.reference.id)
        let id = course.reference.id.hash
        #expect(try function.decodeCall(query.call.data) == [.bytes32(id)])
        #expect(query.call.to == Samples.contract)
        let right = try #require(try stored())
        #expect(right.agrees(with: course) && right.stage == .offered)
        #expect(try stored { $0.status = 2 }?.stage == .running)
        #expect(try stored { $0.status = 8 }?.stage == .over)
    }

    @Test func `detects an endpoint that hides an event of any kind`() throws {
        let lies: [(String, (inout Answer) -> Void)] = [
            ("a repeat", { $0.rounds = 2 }),
            ("an evaluation of the round", { $0.rated = 1 }),
            ("an evaluation of the course", { ($0.points, $0.raters) = (90, 1) }),
            ("a rater who gave no points", { $0.raters = 1 }),
            ("points of the round", { $0.given = 1 }), ("another price", { $0.price = 9_999 }),
            ("a begin", { $0.status = 2 }), ("a cancellation", { $0.status = 4 }),
            ("an enrolment", { $0.enrolled = 1 }), ("other terms", { $0.hash = .zero }),
            ("another promise", { $0.promise = .zero }),
            ("another teacher", { $0.teacher = Samples.buyer }),
        ]
        for (what, lie) in lies {
            let state = try #require(try stored(lie))
            #expect(!state.agrees(with: course), "\(what)")
        }
    }

    @Test func `returns nil for a missing course and refuses an impossible one`() throws {
        let nothing = try stored {
            ($0.teacher, $0.promise, $0.rounds) = (.zero, .zero, 0)
            ($0.status, $0.hash) = (0, .zero)
        }
        #expect(nothing == nil)
        #expect(throws: ABIError.meaningless("a course without a round")) {
            try stored { $0.status = 0 }
        }
        #expect(throws: ABIError.meaningless("a status")) { try stored { $0.status = 3 } }
        #expect(throws: ABIError.meaningless("sums of points")) {
            try stored { ($0.points, $0.raters) = (101, 1) }
        }
    }
}
