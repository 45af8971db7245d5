import Ethereum
import Keys
import Market
import Support
import Testing

@testable import Trade

struct OperationPlanTests {
    private static let steps = [
        Intent.Step(to: testKey(2).address, value: Amount(small: 3), data: [4, 5]),
        Intent.Step(to: nil, data: []),
    ]
    private static let publication = OperationPlan.Publication(
        kind: .listing,
        slot: Bytes32(repeating: 5),
        payload: [6]
    )

    private static let disclosure = OperationPlan.Disclosure(
        sale: SaleID(Bytes32(repeating: 7)),
        .address,
        sealed: [8, 9]
    )
    private static let note = OperationPlan.Disclosure(
        sale: SaleID(Bytes32(repeating: 7)),
        .note(readers: [testKey(3).address, testKey(4).address]),
        sealed: [8, 9]
    )

    private static let consent = ReopeningConsent(
        sale: SaleReference(
            contract: ContractReference(chain: ChainID(1), address: testKey(5).address),
            id: SaleID(Bytes32(repeating: 7))
        ),
        first: SaleID(Bytes32(repeating: 8)),
        slot: Bytes32(repeating: 5),
        until: ChainTime(seconds: 9),
        feeMax: Amount(small: 10)
    )

    @Test(arguments: [
        OperationPlan(
            purpose: "edit",
            steps: Self.steps,
            publications: [Self.publication],
            reopening: .agreed(Self.consent)
        ),
        OperationPlan(
            purpose: "edit",
            steps: Self.steps,
            publications: [
                Self.publication,
                .init(kind: .listing, slot: Bytes32(repeating: 6), payload: [7, 8]),
            ],
            reopening: .automatic(Self.consent.sale.id)
        ).at(.fast),
        OperationPlan(purpose: "buy", steps: Self.steps, disclosure: Self.disclosure),
        OperationPlan(purpose: "dispute", steps: Self.steps, disclosure: Self.note),
        OperationPlan(purpose: "edit", steps: [], publications: [Self.publication]),
        OperationPlan(purpose: "buy", steps: Self.steps),
        OperationPlan(
            purpose: "list",
            steps: Self.steps,
            publications: [
                Self.publication,
                .init(kind: .listing, slot: Bytes32(repeating: 6), payload: [7, 8]),
            ]
        ).at(.fast),
        OperationPlan(
            purpose: "list",
            steps: Self.steps,
            feesMax: [Amount(small: 7), .zero],
            publications: [Self.publication]
        ),
    ])
    func `reads back a stored plan with the same intent`(
        plan: OperationPlan
    ) throws {
        let read = try OperationPlan(storedBytes: plan.storedBytes)
        #expect(read == plan)
        #expect(read.intent(operation: "1") == plan.intent(operation: "1"))
        #expect(read.intent(operation: "1").steps == plan.steps)
    }

    @Test func `refuses a truncated plan`() {
        let bytes = OperationPlan(
            purpose: "list",
            steps: Self.steps,
            feesMax: [.zero, .zero],
            publications: [Self.publication]
        ).storedBytes
        for count in bytes.indices {
            #expect(throws: StoredValueError.self) {
                try OperationPlan(storedBytes: Array(bytes.prefix(count)))
            }
        }
    }
}
