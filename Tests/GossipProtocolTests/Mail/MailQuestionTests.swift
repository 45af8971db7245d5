import GossipProtocol
import Keys
import Market
import Support
import Testing
import WireMessages

struct MailQuestionTests {
    private let limits = MailLimits()

    private func questions() throws -> [MailQuestion] {
        [
            .lease(MailSamples.request()),
            .keys(of: MailSamples.ana.address),
            .publish(try MailSamples.bundle(), records: [[1, 2, 3], [4]]),
            .deposit(MailDeposit(try MailSamples.envelope())),
            .deposit(
                MailDeposit(
                    try MailSamples.envelope(),
                    grant: MailDeposit.GrantProof(id: Bytes32(repeating: 1), proof: .zero),
                    work: MailStamp(nonce: 7)
                )
            ),
            .grants(Bytes32(repeating: 2), ended: [Bytes32(repeating: 3), Bytes32(repeating: 4)]),
            .open(MailSamples.ana.address, device: MailSamples.phone),
            .prove(MailSamples.anasPhone.sign(MailSamples.phone)),
            .collect(after: 0),
            .collect(after: .max),
            .acknowledge([1, 2, 900]),
            .vault(after: []),
            .vault(after: MailSamples.marks),
            .keep(try MailSamples.segment()),
        ]
    }

    private func answers() throws -> [MailAnswer] {
        let lease = try HomeLease(
            peer: MailSamples.homePeer,
            addresses: ["/ip4/127.0.0.1/tcp/4001"],
            quotaByteCount: 1_000,
            until: MailSamples.now,
            account: MailSamples.ana.address,
            key: MailSamples.home
        )
        let waiting = try (1...2 as ClosedRange<UInt64>).map {
            WaitingEnvelope(
                number: $0,
                envelope: try MailSamples.envelope($0),
                origin: $0 == 1 ? nil : Bytes32(repeating: 8)
            )
        }
        return MailRefusal.allCases.map { .refused($0) } + [
            .lease(lease),
            .keys(bundles: [try MailSamples.bundle().bytes], records: [[1], [2]]),
            .keys(bundles: [], records: []),
            .done,
            .held(MailSamples.home.sign(MailSamples.phone)),
            .challenge(Bytes32(repeating: 9)),
            .collected(waiting),
            .collected([]),
            .workWanted(1 << 15),
            .vault([], []),
            .vault(MailSamples.marks, [try MailSamples.segment()]),
        ]
    }

    @Test func `questions and answers survive encoding`() throws {
        for question in try questions() {
            #expect(try MailQuestion(question.bytes, limits: limits) == question)
        }
        for answer in try answers() {
            #expect(try MailAnswer(answer.bytes, limits: limits) == answer)
        }
    }

    @Test func `SwiftProtobuf reads questions and answers and writes the same bytes`() throws {
        for question in try questions() {
            #expect(CanonicalMessage.read(question.bytes, as: MailQuestionFrame.self) != nil)
        }
        for answer in try answers() {
            #expect(CanonicalMessage.read(answer.bytes, as: MailAnswerFrame.self) != nil)
        }
    }

    @Test func `a truncated question or answer is never a complete one`() throws {
        for bytes in try questions().map(\.bytes) {
            for end in bytes.indices.filter({ $0 < 200 || $0 % 97 == 0 }) {
                #expect(throws: MailFrameFault.self) {
                    try MailQuestion(Array(bytes[..<end]), limits: limits)
                }
            }
        }
        for bytes in try answers().map(\.bytes) {
            for end in bytes.indices.filter({ $0 < 200 || $0 % 97 == 0 }) {
                #expect(throws: MailFrameFault.self) {
                    try MailAnswer(Array(bytes[..<end]), limits: limits)
                }
            }
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>)
    func `encodes a message read from corrupted bytes to the same bytes`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let (questions, answers) = (try questions(), try answers())
        for _ in 0..<40 {
            for question in questions {
                var bytes = question.bytes
                random.spoil(&bytes)
                if let read = try? MailQuestion(bytes, limits: limits) {
                    #expect(read.bytes == bytes)
                }
            }
            for answer in answers {
                var bytes = answer.bytes
                random.spoil(&bytes)
                guard let read = try? MailAnswer(bytes, limits: limits) else { continue }
                // A refusal of a later version is read as `unable`.
                if read != .refused(.unable) { #expect(read.bytes == bytes) }
            }
        }
    }

    @Test func `reads the same questions from every split of a stream`() throws {
        let questions = try questions()
        let stream = questions.flatMap { Varint.encode($0.bytes.count) + $0.bytes }
        for cut in stride(from: 1, to: stream.count, by: 61) {
            var splitter = MessageSplitter(bytesMax: limits.questionBytesMax)
            var read: [MailQuestion] = []
            for part in [stream[..<cut], stream[cut...]] {
                splitter.append(Array(part))
                while case .message(let bytes) = splitter.next() {
                    read.append(try MailQuestion(bytes, limits: limits))
                }
            }
            #expect(read == questions, "cut at \(cut)")
        }
    }

    @Test func `refuses messages beyond the limits`() throws {
        let numbers = Array(1...UInt64(limits.collectedMax + 1))
        let records = [[UInt8]](repeating: [1], count: limits.recordsMax + 1)
        let longRecord = [[UInt8](repeating: 1, count: limits.recordBytesMax + 1)]
        let bundle = try MailSamples.bundle()
        for question in [
            .acknowledge(numbers), .publish(bundle, records: records),
            .publish(bundle, records: longRecord),
        ] as [MailQuestion] {
            #expect(throws: MailFrameFault.tooMuch) {
                try MailQuestion(question.bytes, limits: limits)
            }
        }
        let twice = [Bytes32.zero, .zero]
        for question in [
            .acknowledge([]), .acknowledge([2, 2]), .grants(.zero, ended: twice),
        ] as [MailQuestion] {
            #expect(throws: MailFrameFault.malformed) {
                try MailQuestion(question.bytes, limits: limits)
            }
        }
    }
}
