import Keys
import Mail
import Market
import Storage
import Support
import Testing

struct WaitingMailTests {
    private let first = ChatSamples.envelope(1)
    private let second = ChatSamples.envelope(2)
    private let device = testKey(9).publicKey
    private static let source = MailSource.stranger(origin: .zero)

    /// Opens an unproved envelope, looks its sender up and records the result.
    private func lookUp(
        _ envelope: EnvelopeKey,
        in waiting: inout WaitingMail,
        isProved: Bool = false,
        isAnswered: Bool,
        at now: Timestamp
    ) -> Bool {
        let isKept = waiting.keep(
            envelope,
            untilProved: ChatSamples.bo,
            device: device,
            source: Self.source,
            at: now
        )
        #expect(isKept)
        #expect(waiting.takenSenders() == [ChatSamples.bo: [envelope]])
        return waiting.lookedUp(envelope, isProved: isProved, isAnswered: isAnswered, at: now)
    }

    @Test func `an unverified envelope is due at growing intervals, up to eight times`() {
        var waiting = WaitingMail(ChatSamples.settings)
        var now = ChatSamples.time(0)
        var waits: [Duration] = []
        for lookup in 1...8 {
            #expect(waiting.status(of: first, at: now) == .due)
            let isDue = lookUp(first, in: &waiting, isAnswered: true, at: now)
            #expect(isDue == (lookup == 8))
            let start = now
            while waiting.status(of: first, at: now) == .notDue {
                now = now.advanced(by: .seconds(1))
            }
            waits.append(now.elapsed(since: start))
        }
        #expect(waits == [10, 20, 40, 80, 160, 320, 640, 0].map { .seconds($0) })
        let isKept = waiting.keep(
            first,
            untilProved: ChatSamples.bo,
            device: device,
            source: Self.source,
            at: now
        )
        #expect(!isKept && waiting.takenSenders().isEmpty)
        // It is forgotten, and nothing is left to prove.
        #expect(waiting.status(of: first, at: now) == .due)
        #expect(waiting.device(of: first) == nil)
    }

    @Test func `lookups that nobody answers do not count`() {
        var waiting = WaitingMail(ChatSamples.settings)
        for pass in 0..<100 as Range<UInt64> {
            let now = ChatSamples.time(pass * 10)
            #expect(waiting.status(of: first, at: now) == .due)
            #expect(lookUp(first, in: &waiting, isAnswered: false, at: now) == false)
            #expect(waiting.status(of: first, at: now) == .notDue)
        }
    }

    @Test func `an envelope is due at once when its sender is verified`() {
        var waiting = WaitingMail(ChatSamples.settings)
        let now = ChatSamples.time(0)
        #expect(lookUp(first, in: &waiting, isProved: true, isAnswered: false, at: now) == true)
        #expect(waiting.status(of: first, at: now) == .due)
        waiting.remove(first)
        #expect(waiting.lookedUp(first, isProved: true, isAnswered: true, at: now) == false)
    }

    @Test func `looks up each sender once for all its envelopes, within a bound`() {
        var settings = ChatSamples.settings
        settings.unknownSendersMax = 2
        var waiting = WaitingMail(settings)
        let now = ChatSamples.time(0)
        func keep(_ envelope: UInt64, of sender: UInt8) {
            let kept = waiting.keep(
                ChatSamples.envelope(envelope),
                untilProved: ChatSamples.account(sender),
                device: device,
                source: Self.source,
                at: now
            )
            #expect(kept)
        }
        for (envelope, sender) in [(1, 2), (2, 3), (3, 4), (4, 2)] as [(UInt64, UInt8)] {
            keep(envelope, of: sender)
        }
        let taken = waiting.takenSenders()
        #expect(
            taken == [
                ChatSamples.account(2): [ChatSamples.envelope(1), ChatSamples.envelope(4)],
                ChatSamples.account(3): [ChatSamples.envelope(2)],
            ]
        )
        #expect(waiting.takenSenders().isEmpty)
        // The third sender has its turn when its envelope is opened again.
        keep(3, of: 4)
        #expect(waiting.takenSenders() == [ChatSamples.account(4): [ChatSamples.envelope(3)]])
    }

    @Test func `looks up senders in turn by the source of their mail`() {
        var settings = ChatSamples.settings
        settings.unknownSendersMax = 6
        var waiting = WaitingMail(settings)
        let now = ChatSamples.time(0)
        // Twenty senders of one source come before one of each of two others.
        for number in 1...22 as ClosedRange<UInt8> {
            let kept = waiting.keep(
                ChatSamples.envelope(UInt64(number)),
                untilProved: ChatSamples.account(number),
                device: device,
                source: .contact(grant: Bytes32(repeating: number <= 20 ? 1 : number)),
                at: now
            )
            #expect(kept)
        }
        let order = waiting.takeSenders().map(\.sender)
        #expect(order.count == 6)
        #expect(Set(order.prefix(3)) == Set([1, 21, 22].map { ChatSamples.account($0) }))
        #expect(waiting.takeSenders().isEmpty)
    }

    @Test func `opening an envelope during the lookup causes no further lookup`() {
        var waiting = WaitingMail(ChatSamples.settings)
        let now = ChatSamples.time(0)
        #expect(
            waiting.keep(
                first,
                untilProved: ChatSamples.bo,
                device: device,
                source: Self.source,
                at: now
            ) == true
        )
        _ = waiting.takenSenders()
        #expect(
            waiting.keep(
                first,
                untilProved: ChatSamples.bo,
                device: device,
                source: Self.source,
                at: now
            ) == true
        )
        #expect(waiting.lookedUp(first, isProved: false, isAnswered: true, at: now) == false)
        #expect(waiting.takenSenders().isEmpty)
    }

    @Test func `looks up no sender for an envelope that no longer waits for it`() {
        let now = ChatSamples.time(0)
        let changes: [(inout WaitingMail) -> Void] = [
            { $0.remove(first) },
            { $0.keep(first, untilRoomFor: .zero, with: ChatSamples.bo, at: now) },
            { waiting in
                for number in 2...UInt64(WaitingMail.envelopesMax) + 1 {
                    let envelope = ChatSamples.envelope(number)
                    waiting.keep(envelope, untilRoomFor: .zero, with: ChatSamples.bo, at: now)
                }
            },
        ]
        for change in changes {
            var waiting = WaitingMail(ChatSamples.settings)
            let isKept = waiting.keep(
                first,
                untilProved: ChatSamples.bo,
                device: device,
                source: Self.source,
                at: now
            )
            change(&waiting)
            #expect(isKept && waiting.takenSenders().isEmpty)
        }
    }

    @Test(arguments: 0..<16 as Range<UInt64>)
    func `files envelopes of a verified sender, or drops them after eight tries`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        var waiting = WaitingMail(ChatSamples.settings)
        var senders: [EnvelopeKey: Address] = [:]
        for number in 1...40 as ClosedRange<UInt64> {
            let sender = ChatSamples.account(UInt8.random(in: 2...9, using: &random))
            senders[ChatSamples.envelope(number)] = sender
        }
        var (proved, answers) = (Set<Address>(), [EnvelopeKey: Int]())
        var (filed, dropped, opened) = (0, 0, 0)
        var now = ChatSamples.time(0)
        for _ in 0..<4_000 {
            now = now.advanced(by: .seconds(Int64.random(in: 0...30, using: &random)))
            for (envelope, sender) in senders where waiting.status(of: envelope, at: now) == .due {
                opened += 1
                let isKept =
                    !proved.contains(sender)
                    && waiting.keep(
                        envelope,
                        untilProved: sender,
                        device: device,
                        source: Self.source,
                        at: now
                    )
                if isKept { continue }
                if proved.contains(sender) {
                    waiting.remove(envelope)
                    filed += 1
                } else {
                    #expect(answers[envelope] == 8, "seed \(seed)")
                    dropped += 1
                }
                senders[envelope] = nil
            }
            for (sender, envelopes) in waiting.takenSenders().sorted(by: { $0.key < $1.key }) {
                let isAnswered = Bool.random(using: &random)
                if Int.random(in: 0..<100, using: &random) == 0 { proved.insert(sender) }
                let isProved = proved.contains(sender)
                for envelope in envelopes {
                    #expect(waiting.device(of: envelope)?.sender == sender)
                    if isAnswered, !isProved { answers[envelope, default: 0] += 1 }
                    let isDue = waiting.lookedUp(
                        envelope,
                        isProved: isProved,
                        isAnswered: isAnswered,
                        at: now
                    )
                    #expect(isDue == (isProved || answers[envelope] == 8), "seed \(seed)")
                }
            }
        }
        #expect(senders.isEmpty && filed + dropped == 40, "seed \(seed)")
        // An envelope is opened once for each lookup, and a last time.
        #expect(opened < 40 * 30, "seed \(seed)")
    }

    @Test func `a waiting envelope is due every ten minutes if there is room`() {
        var waiting = WaitingMail(ChatSamples.settings)
        let conversation = Bytes32(repeating: 7)
        waiting.keep(
            first,
            untilRoomFor: conversation,
            with: ChatSamples.bo,
            at: ChatSamples.time(0)
        )
        #expect(waiting.status(of: first, at: ChatSamples.time(599)) == .notDue)
        #expect(
            waiting.status(of: first, at: ChatSamples.time(600))
                == .dueIfRoom(for: conversation, with: ChatSamples.bo)
        )
        #expect(waiting.status(of: second, at: ChatSamples.time(0)) == .due)
        #expect(waiting.device(of: first) == nil && waiting.takenSenders().isEmpty)
        waiting.remove(first)
        #expect(waiting.status(of: first, at: ChatSamples.time(0)) == .due)
    }

    @Test func `an envelope about a sale is due every ten minutes in any case`() {
        var waiting = WaitingMail(ChatSamples.settings)
        waiting.keep(first, at: ChatSamples.time(0))
        #expect(waiting.status(of: first, at: ChatSamples.time(599)) == .notDue)
        #expect(waiting.status(of: first, at: ChatSamples.time(600)) == .due)
    }

    @Test func `strangers cannot make the waiting list grow endlessly`() {
        var waiting = WaitingMail(ChatSamples.settings)
        let count = UInt64(WaitingMail.envelopesMax)
        let now = ChatSamples.time(0)
        func keep(_ number: UInt64) {
            waiting.keep(
                ChatSamples.envelope(number),
                untilRoomFor: .zero,
                with: ChatSamples.bo,
                at: now
            )
        }
        func waits(_ number: UInt64) -> Bool {
            waiting.status(of: ChatSamples.envelope(number), at: now) == .notDue
        }
        for number in 1...count { keep(number) }
        keep(1)
        #expect((1...count).allSatisfy(waits))
        keep(count + 1)
        #expect((1...count + 1).filter(waits) == [count + 1])
    }
}

extension WaitingMail {
    fileprivate mutating func takenSenders() -> [Address: Set<EnvelopeKey>] {
        Dictionary(uniqueKeysWithValues: takeSenders().map { ($0.sender, $0.envelopes) })
    }
}
