import Ethereum
import Keys
import Market
import Support
import Testing

/// Several endpoints say something of one transaction with the nonce 4.
struct SightingVotesTests {
    typealias Verdict = SightingVotes.Verdict

    private static let hash = Bytes32(repeating: 7)

    private static func receipt(_ block: UInt64, isSuccess: Bool = true) -> Receipt {
        Receipt(
            transaction: hash,
            block: BlockID(number: block, hash: Bytes32(words: block, 0, 0, 0)),
            isSuccess: isSuccess,
            gasUsed: 1,
            gasPrice: .zero
        )
    }

    /// The word of one endpoint.
    enum Answer: Sendable {
        /// A receipt in block 10, below this head.
        case mined(head: UInt64)
        case failed(head: UInt64)
        case elsewhere(head: UInt64)
        /// No receipt; the nonce is used, or not.
        case used, unused
        /// No receipt, and no count of nonces.
        case lacking
        /// Nothing, as it still indexes.
        case silent
    }

    private static func sighting(_ place: Int, _ word: Answer) throws -> Sighting {
        let (head, settled, told): (UInt64, UInt64?, Receipt??) =
            switch word {
            case .mined(let head): (head, 5, receipt(10))
            case .failed(let head): (head, 5, receipt(10, isSuccess: false))
            case .elsewhere(let head): (head, 5, receipt(9))
            case .used: (20, 5, .some(nil))
            case .unused: (20, 4, .some(nil))
            case .lacking: (20, nil, .some(nil))
            case .silent: (20, 5, nil)
            }
        return Sighting(
            endpoint: try Endpoint(url: "http://number\(place).test").name,
            head: head,
            settledNonce: settled,
            receipts: told.map { [hash: $0] } ?? [:]
        )
    }

    private static func votes(
        _ words: [Answer],
        needed: Int = 2
    ) throws -> SightingVotes {
        var votes = SightingVotes(
            nonces: [hash: 4],
            confirmations: 3,
            needed: needed
        )
        for (place, word) in words.enumerated() { votes.add(try sighting(place, word)) }
        return votes
    }

    @Test(
        arguments: [
            ([.mined(head: 12), .mined(head: 12)], .mined(receipt(10), isVouched: true)),
            ([.mined(head: 11), .mined(head: 11)], .mined(receipt(10), isVouched: false)),
            ([.used, .mined(head: 12), .mined(head: 12)], .mined(receipt(10), isVouched: true)),
            (
                [.mined(head: 12), .failed(head: 12), .failed(head: 12)],
                .mined(receipt(10, isSuccess: false), isVouched: true)
            ),
            (
                [.elsewhere(head: 12), .mined(head: 12), .mined(head: 12)],
                .mined(receipt(10), isVouched: true)
            ),
            ([.silent, .mined(head: 12), .mined(head: 12)], .mined(receipt(10), isVouched: true)),
            ([.unused, .unused], .notMined), ([.lacking, .lacking], .notMined),
            ([.mined(head: 12), .unused, .unused], .notMined),
            ([.used, .unused, .unused], .notMined),
            ([.used, .used], .lost), ([.unused, .used, .used], .lost),
            ([.mined(head: 12), .used, .used], .lost),
        ] as [([Answer], Verdict)]
    )
    func `decides as two of three say`(words: [Answer], verdict: Verdict) throws {
        let votes = try Self.votes(words)
        #expect(votes.verdict(on: Self.hash) == verdict)
        #expect(votes.open(of: [Self.hash]).isEmpty)
        let seen = try #require(votes.observation(of: [Self.hash]))
        #expect(seen.asked == [Self.hash] && seen.doubts.isEmpty)
        // Once two have it, it only has to become deeper.
        #expect(seen.vouched.isEmpty == (verdict == .mined(Self.receipt(10), isVouched: false)))
        // The queue takes a nonce for lost by the count that goes with it.
        let isSettled = seen.settledNonce.map { $0 > 4 } ?? false
        #expect(verdict == .lost ? isSettled : verdict != .notMined || !isSettled)
    }

    @Test(
        arguments: [
            [], [.used], [.silent], [.mined(head: 12), .unused],
            [.mined(head: 12), .failed(head: 12)], [.mined(head: 12), .elsewhere(head: 12)],
            [.used, .unused], [.mined(head: 12), .failed(head: 12), .used],
        ] as [[Answer]]
    )
    func `decides nothing while two do not say the same`(words: [Answer]) throws {
        let votes = try Self.votes(words)
        #expect(votes.verdict(on: Self.hash) == .undecided)
        #expect(votes.open(of: [Self.hash]).isEmpty == (words.count == 3))
        #expect(votes.observation(of: [Self.hash])?.asked.isEmpty != false)
    }

    @Test(
        arguments: [
            ([.mined(head: 12)], .mined(receipt(10), isVouched: false), .receipt),
            ([.silent, .mined(head: 12)], .mined(receipt(10), isVouched: false), .receipt),
            ([.mined(head: 11)], .mined(receipt(10), isVouched: false), nil),
            ([.mined(head: 12), .unused], .undecided, .receipt), ([.unused], .notMined, nil),
            ([.used], .undecided, .nonce), ([.used, .silent], .undecided, .nonce),
        ] as [([Answer], Verdict, SendQueue.LoneClaim?)]
    )
    func `one endpoint alone decides nothing final`(
        words: [Answer],
        verdict: Verdict,
        doubt: SendQueue.LoneClaim?
    ) throws {
        let votes = try Self.votes(words)
        #expect(votes.verdict(on: Self.hash) == verdict)
        #expect(votes.open(of: [Self.hash]) == [Self.hash])
        let seen = try #require(votes.observation(of: [Self.hash]))
        #expect(seen.vouched.isEmpty && seen.doubts[Self.hash] == doubt)
        #expect(seen.asked.isEmpty == (verdict == .undecided))
    }

    @Test func `a lost receipt confirms one that is not final`() throws {
        for words in [[.mined(head: 12), .used], [.used, .mined(head: 12)]] as [[Answer]] {
            let votes = try Self.votes(words)
            #expect(votes.verdict(on: Self.hash) == .mined(Self.receipt(10), isVouched: false))
            #expect(votes.open(of: [Self.hash]) == [Self.hash])
        }
    }

    @Test func `asks a third endpoint if the second one's head is behind`() throws {
        let votes = try Self.votes([.mined(head: 12), .mined(head: 11)])
        #expect(votes.verdict(on: Self.hash) == .mined(Self.receipt(10), isVouched: false))
        #expect(votes.open(of: [Self.hash]) == [Self.hash])
        let all = try Self.votes([.mined(head: 12), .mined(head: 11), .mined(head: 12)])
        #expect(all.verdict(on: Self.hash) == .mined(Self.receipt(10), isVouched: true))
    }

    @Test func `a replacement decides about its transaction too`() throws {
        let replaced = Bytes32(repeating: 8)
        var votes = SightingVotes(
            nonces: [Self.hash: 4, replaced: 4],
            confirmations: 3,
            needed: 2
        )
        for (place, settled) in [5, 4].enumerated() {
            votes.add(
                Sighting(
                    endpoint: try Endpoint(url: "http://number\(place).test").name,
                    head: 12,
                    settledNonce: UInt64(settled),
                    receipts: [Self.hash: Self.receipt(10), replaced: nil]
                )
            )
        }
        #expect(votes.open(of: [replaced, Self.hash]).isEmpty)
        let seen = try #require(votes.observation(of: [replaced, Self.hash]))
        #expect(seen.asked == [replaced, Self.hash] && seen.doubts.isEmpty)
        #expect(seen.vouched == [Self.hash])
    }

    @Test func `names the receipt that two others contradict, and none that is missing`() throws {
        let hash = [Self.hash]
        let wrong = try Self.votes([.failed(head: 12), .mined(head: 12), .mined(head: 12)])
        #expect(wrong.contradictions(of: hash).map(\.told) == [Self.receipt(10, isSuccess: false)])
        for word in [.elsewhere(head: 10), .used, .unused, .silent] as [Answer] {
            let votes = try Self.votes([word, .mined(head: 12), .mined(head: 12)])
            #expect(votes.contradictions(of: hash).isEmpty, "\(word)")
        }
    }

    @Test func `believes the only endpoint`() throws {
        for (word, verdict) in [
            (.mined(head: 12), .mined(Self.receipt(10), isVouched: true)), (.used, .lost),
            (.unused, .notMined), (.silent, .undecided),
        ] as [(Answer, Verdict)] {
            let votes = try Self.votes([word], needed: 1)
            #expect(votes.verdict(on: Self.hash) == verdict)
        }
    }
}
