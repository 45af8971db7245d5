import BigInt
import Contracts
import Ethereum
import Keys
import Market
import Testing

struct CoursesContractTests {
    private typealias Samples = ItemSaleSamples
    private let contract = CoursesContract(address: Samples.contract)
    private let terms = Samples.course(.native)
    private let course = SaleID(Bytes32(repeating: 3))
    private let interface = Artifact.courses.interface

    @Test func `the interface decodes the course, round and terms of a call`() throws {
        let points = try #require(CoursePoints([1, 2, 3, 4, 5]))
        let usual: [ABIValue] = [.bytes32(course.hash), .uint(2), Samples.courseTerms]
        let (salt, promise) = (Bytes32(repeating: 1), Bytes32(repeating: 2))
        let calls: [(CourseMove.Action, ContractCall, [ABIValue])] = [
            (
                .open, contract.open(salt: salt, promise: promise, terms: terms),
                [.bytes32(salt), .bytes32(promise), Samples.courseTerms]
            ),
            (
                .repeat, contract.repeat(course, terms: terms),
                [.bytes32(course.hash), Samples.courseTerms]
            ),
            (.enrol, contract.enrol(course, round: 2, terms: terms), usual),
            (.leave, contract.leave(course, round: 2, terms: terms), usual),
            (.begin, contract.begin(course, round: 2, terms: terms), usual),
            (.cancel, contract.cancel(course, round: 2, terms: terms), usual),
            (.refund, contract.refund(course, round: 2, terms: terms), usual),
            (
                .evaluate, contract.evaluate(course, round: 2, terms: terms, points: points),
                usual + [.array((1...5).map { .small($0) })]
            ),
            (.settle, contract.settle(course, round: 2, terms: terms), usual),
        ]
        for (action, call, arguments) in calls {
            let function = try interface.function(action.name)
            #expect(try function.decodeCall(call.data) == arguments)
            #expect(call.to == Samples.contract)
            #expect(call.value == (action == .enrol ? terms.price : .zero))
        }
        #expect(calls.map(\.0) == CourseMove.Action.allCases)
        let inToken = Samples.course(.token(number(0x70).address))
        #expect(contract.enrol(course, round: 0, terms: inToken).value == .zero)
    }

    @Test func `finds the course in each call except the one that opens it`() throws {
        let points = try #require(CoursePoints([1, 2, 3, 4, 5]))
        let calls = [
            contract.repeat(course, terms: terms), contract.enrol(course, round: 2, terms: terms),
            contract.leave(course, round: 2, terms: terms),
            contract.begin(course, round: 2, terms: terms),
            contract.cancel(course, round: 2, terms: terms),
            contract.refund(course, round: 2, terms: terms),
            contract.evaluate(course, round: 2, terms: terms, points: points),
            contract.settle(course, round: 2, terms: terms),
        ]
        let chain = ChainID(31_337)
        for call in calls {
            #expect(contract.sale(in: call.data, on: chain) == course)
            #expect(contract.sale(in: Array(call.data.dropLast()), on: chain) == nil)
        }
        #expect(calls.count == CourseMove.Action.allCases.count - 1)
        for call in [
            contract.open(salt: .zero, promise: .zero, terms: terms),
            contract.withdraw(Amount(small: 1), of: .native, to: Samples.seller),
        ] {
            #expect(contract.sale(in: call.data, on: chain) == nil)
        }
        #expect(contract.sale(in: [], on: chain) == nil)
    }

    @Test func `computes the contract's id and hash`() throws {
        let bytes = try ABI.encode(
            [
                .uint(31_337), .address(Samples.contract), .address(Samples.seller),
                .bytes32(.zero), .bytes32(Bytes32(repeating: 1)),
            ],
            as: ABIType.parameters(ofSignature: "f(uint256,address,address,bytes32,bytes32)")
        )
        let id = SaleID(
            contract: ContractReference(chain: ChainID(31_337), address: Samples.contract),
            teacher: Samples.seller,
            salt: .zero,
            promise: Bytes32(repeating: 1)
        )
        #expect(id.hash == Keccak256.hash(bytes))
        let types = try ABIType.parameters(
            ofSignature: "f((address,uint256,uint256,uint256,uint256,uint256,uint256))"
        )
        #expect(terms.hash == Keccak256.hash(try ABI.encode([Samples.courseTerms], as: types)))
    }

    @Test func `reads a course and a round from the contract's storage form`() throws {
        func course(_ teacher: UInt64, points: BigUInt) throws -> CoursesContract.StoredCourse? {
            let values: [ABIValue] = [
                .address(number(teacher).address), .bytes32(Bytes32(repeating: 2)), .uint(3),
                .array([.uint(1), .uint(2), .uint(3), .uint(4), .uint(points)]), .uint(1),
            ]
            let data = try interface.function("course").encodeResult([.tuple(values)])
            return try contract.course(self.course).decode(data)
        }
        #expect(try course(0, points: 0) == nil)
        let read = try #require(try course(5, points: 100))
        #expect(read.teacher == Samples.seller && read.promise == Bytes32(repeating: 2))
        #expect(read.rounds == 3)
        #expect(read.rating == CourseRating(points: [1, 2, 3, 4, 100], raters: 1))
        #expect(throws: ABIError.meaningless("sums of points")) { try course(5, points: 101) }

        func round(_ status: BigUInt) throws -> CoursesContract.StoredRound? {
            let values: [ABIValue] = [
                .uint(status), .bytes32(terms.hash), .uint(7), .uint(6), .uint(90), .uint(11),
            ]
            let data = try interface.function("round_of").encodeResult([.tuple(values)])
            return try contract.round(2, of: self.course).decode(data)
        }
        #expect(try round(0) == nil)
        let begun = try #require(try round(2))
        #expect(begun.status == .begun && begun.termsHash == terms.hash)
        #expect(begun.enrolled == 7 && begun.raters == 6)
        #expect(begun.points == 90 && begun.price == Amount(small: 11))
        #expect(throws: ABIError.meaningless("a status")) { try round(3) }
    }

    @Test func `reads every event of a course`() throws {
        let student = [course.hash, number(6)]
        let opened = CourseEvent.Opened(
            teacher: Samples.seller,
            promise: Bytes32(repeating: 4),
            salt: .zero,
            round: 2,
            terms: terms
        )
        let points = try #require(CoursePoints([1, 2, 3, 4, 100]))
        let events: [(String, [Bytes32], [ABIValue], CourseEvent.Change)] = [
            (
                "Opened", [course.hash, number(5), Bytes32(repeating: 4)],
                [.bytes32(.zero), .uint(2), Samples.courseTerms], .opened(opened)
            ),
            (
                "Enrolled", student, [.uint(2), .uint(9)],
                .enrolled(student: Samples.buyer, round: 2, enrolled: 9)
            ),
            (
                "Left", student, [.uint(2), .uint(8)],
                .left(student: Samples.buyer, round: 2, enrolled: 8)
            ),
            ("Begun", [course.hash], [.uint(2)], .begun(round: 2)),
            ("Cancelled", student, [.uint(2)], .cancelled(by: Samples.buyer, round: 2)),
            (
                "Refunded", student, [.uint(2), .uint(8)],
                .refunded(student: Samples.buyer, round: 2, amount: Amount(small: 8))
            ),
            (
                "Evaluated", student, [.uint(2), .array([1, 2, 3, 4, 100].map { .small($0) })],
                .evaluated(student: Samples.buyer, round: 2, points: points)
            ),
            (
                "Settled", [course.hash],
                [
                    .uint(2), .address(Samples.buyer), .uint(80), .uint(7),
                    .tuple([.uint(5), .uint(6)]),
                ],
                .settled(
                    CourseSettlement(
                        average: 80,
                        incentive: Amount(small: 7),
                        payout: CoursePayout(
                            teacher: Amount(small: 5),
                            platform: Amount(small: 6)
                        )
                    ),
                    by: Samples.buyer,
                    round: 2
                )
            ),
        ]
        for (name, topics, values, change) in events {
            let log = try Samples.log(.courses, name, topics, values + [.uint(77)])
            let event = CourseEvent(sale: course, position: Samples.position, change: change)
            #expect(try decoded(log).saleEvent as? CourseEvent == event)
            Samples.expectRefusals(of: log, contract.decode)
        }
        let odd: [ABIValue] = [.uint(2), .array([0, 0, 0, 0, 101].map { .small($0) }), .uint(77)]
        let log = try Samples.log(.courses, "Evaluated", student, odd)
        #expect(throws: ABIError.meaningless("points")) { try decoded(log) }
    }

    @Test func `reads credits and withdrawals`() throws {
        let credit = ContractMoney.Credit(
            currency: .native,
            account: Samples.buyer,
            amount: Amount(small: 9)
        )
        let credited = try Samples.log(
            .courses,
            "Credited",
            [number(0), number(6), course.hash],
            [.uint(9)]
        )
        let event = CourseEvent(
            sale: course,
            position: Samples.position,
            change: .credited(credit)
        )
        #expect(try decoded(credited).saleEvent as? CourseEvent == event)
        let withdrawn = try Samples.log(
            .courses,
            "Withdrawn",
            [number(0), number(6), number(5)],
            [.uint(9)]
        )
        guard case .withdrawn(let read, let to) = try decoded(withdrawn).content else {
            Issue.record("no withdrawal")
            return
        }
        #expect(read == credit && to == Samples.seller)
        #expect(CoursesContract.topics.count == 10)
    }

    @Test func `writes the constructor's arguments`() throws {
        let arguments = CoursesContract.arguments(
            platform: number(2).address,
            tokens: [number(3).address]
        )
        #expect(
            try ABI.decode(arguments, as: interface.constructorInputs.map(\.type))
                == [.address(number(2).address), .array([.address(number(3).address)])]
        )
    }

    private func decoded(_ log: ContractLog) throws -> SaleLedger.Event {
        try contract.decode(log, at: Samples.position)
    }
}
