import Answers
import Client
import Keys
import Market
import Storage
import Support
import Testing
import Trade

/// When an unpaid item is listed again by itself, without a chain.
struct ReopeningWatchTests {
    private typealias Watch = ReopeningWatch
    private static let until = ChainTime(seconds: 1_763_700_000)
    private static let consent = ReopeningConsent(
        sale: SaleReference(
            contract: ContractReference(chain: ChainID(1), address: testKey(9).address),
            id: SaleID(Bytes32(repeating: 7))
        ),
        first: SaleID(Bytes32(repeating: 6)),
        slot: Bytes32(repeating: 5),
        until: until,
        feeMax: Amount(small: 4)
    )

    private static func head(_ after: Duration = .zero, _ height: UInt64 = 10) -> Watch.Head {
        Watch.Head(time: until.advanced(by: after), height: height)
    }

    private static func sale(
        _ settled: ReservedSale.State? = .open,
        _ newest: ReservedSale.State? = .open,
        isUsable: Bool = true,
        attempts: [Client.Operation.State] = []
    ) -> ReservedSale {
        var sale = ReservedSale(consent, settled: settled, newest: newest)
        (sale.isUsable, sale.attempts) = (isUsable, attempts)
        return sale
    }

    private static func look(
        _ watch: inout Watch,
        _ sale: ReservedSale = sale(),
        _ head: Watch.Head? = head(),
        settled: UInt64 = .max
    ) -> Watch.Decision {
        watch.look(at: sale, head: head) { $0 <= settled }
    }

    @Test func `begins once the blocks of the buyer's time are final`() {
        var watch = Watch()
        let early = Watch.Head(time: ChainTime(seconds: Self.until.seconds - 1), height: 9)
        #expect(Self.look(&watch, Self.sale(), early) == .hold)
        #expect(Self.look(&watch, settled: 9) == .hold)
        let later = Self.head(.seconds(60), 12)
        #expect(Self.look(&watch, Self.sale(), later, settled: 9) == .hold)
        #expect(Self.look(&watch, Self.sale(), later, settled: 10) == .begin(attempt: 0))
        // Without a head nothing moves.
        #expect(Self.look(&watch, Self.sale(), nil) == .leave)
    }

    @Test func `a chain that goes back before the buyer's time waits for it again`() {
        var watch = Watch()
        #expect(Self.look(&watch, settled: 9) == .hold)
        let back = Watch.Head(time: ChainTime(seconds: Self.until.seconds - 5), height: 9)
        #expect(Self.look(&watch, Self.sale(), back) == .hold)
        #expect(Self.look(&watch, Self.sale(), Self.head(.zero, 11), settled: 10) == .hold)
        #expect(
            Self.look(&watch, Self.sale(), Self.head(.zero, 13), settled: 11) == .begin(attempt: 0)
        )
    }

    @Test func `a locked account leaves the sale to other moves for seven days`() {
        var watch = Watch()
        let locked = Self.sale(isUsable: false)
        #expect(Self.look(&watch, locked) == .leave)
        #expect(Self.look(&watch, locked, Self.head(.days(6))) == .leave)
        #expect(Self.look(&watch, Self.sale(), Self.head(.days(6))) == .begin(attempt: 0))
        #expect(Self.look(&watch, locked, Self.head(.days(7))) == .stop(.late))
        #expect(Self.look(&watch, Self.sale(), Self.head(.days(7))) == .stop(.late))
    }

    @Test func `only a final payment ends the consent`() {
        var watch = Watch()
        #expect(Self.look(&watch, Self.sale(.open, .paid)) == .leave)
        // The block with the payment was replaced.
        #expect(Self.look(&watch, Self.sale(.open, .open)) == .begin(attempt: 0))
        #expect(Self.look(&watch, Self.sale(.paid, .paid)) == .forget)
        #expect(Self.look(&watch, Self.sale(.paid, .ended)) == .forget)
    }

    @Test func `the end of the sale or another listing stops it once that is final`() {
        var watch = Watch()
        #expect(Self.look(&watch, Self.sale(.open, .ended)) == .leave)
        #expect(Self.look(&watch, Self.sale(.ended, .ended)) == .stop(.ended))
        #expect(Self.look(&watch, Self.sale(nil, nil)) == .leave)
        var changed = Self.sale()
        changed.isListed = false
        #expect(Self.look(&watch, changed) == .stop(.changed))
        var moved = Self.sale()
        moved.isMoved = true
        #expect(Self.look(&watch, moved) == .leave)
    }

    @Test(arguments: [Client.Operation.State.running, .needsUnlock])
    func `its own operation goes on although it ends the sale`(state: Client.Operation.State) {
        var watch = Watch()
        #expect(Self.look(&watch, Self.sale(attempts: [state])) == .hold)
        #expect(Self.look(&watch, Self.sale(.ended, .ended, attempts: [state])) == .hold)
        let locked = Self.sale(isUsable: false, attempts: [.failed, state])
        #expect(Self.look(&watch, locked, nil) == .hold)
    }

    @Test func `an operation that waits unsigned makes way while its account is locked`() {
        var watch = Watch()
        var sale = Self.sale(isUsable: false, attempts: [.needsUnlock])
        sale.waitsForUnlock = true
        #expect(Self.look(&watch, sale) == .drop)
        sale.isUsable = true
        #expect(Self.look(&watch, sale) == .hold)
    }

    @Test func `a failed operation is begun twice more, ten minutes later`() {
        var watch = Watch()
        #expect(Self.look(&watch, Self.sale(attempts: [.failed])) == .hold)
        #expect(
            Self.look(&watch, Self.sale(attempts: [.failed]), Self.head(.seconds(599))) == .hold
        )
        #expect(
            Self.look(&watch, Self.sale(attempts: [.failed]), Self.head(.seconds(600)))
                == .begin(attempt: 1)
        )
        let all = Self.sale(attempts: [.failed, .failed, .failed])
        #expect(Self.look(&watch, all, Self.head(.days(1))) == .stop(.failed))
    }

    @Test func `a refusal is tried again some times, a lasting one never`() {
        var watch = Watch()
        let id = Self.consent.sale.id
        #expect(Self.look(&watch) == .begin(attempt: 0))
        var time = Duration.zero
        for delay in [60, 120, 240, 480, 960, 1_920, 3_600] as [Int64] {
            let isOver = watch.refused(id, isLasting: false, at: Self.until.advanced(by: time))
            #expect(!isOver)
            time += .seconds(delay)
            let early = Self.head(time - .seconds(1))
            #expect(Self.look(&watch, Self.sale(), early) == .hold)
            #expect(Self.look(&watch, Self.sale(), Self.head(time)) == .begin(attempt: 0))
        }
        let isLast = watch.refused(id, isLasting: false, at: Self.until.advanced(by: time))
        #expect(isLast)

        var other = Watch()
        #expect(Self.look(&other) == .begin(attempt: 0))
        let isLasting = other.refused(id, isLasting: true, at: Self.until)
        #expect(isLasting)
    }

    @Test func `only refusals that ask something of the owner are lasting`() {
        #expect(Watch.isLasting(Refusal(.insufficientBalance, Sentence("refusal.notReserved"))))
        #expect(!Watch.isLasting(Refusal(.chainAway, Sentence("refusal.notReserved"))))
        #expect(!Watch.isLasting(StorageError.mapFull(.put)))
    }
}
