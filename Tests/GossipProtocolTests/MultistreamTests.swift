import GossipProtocol
import Testing

struct MultistreamTests {
    private static let header = Multistream.line(Multistream.header)

    /// Passes in `bytes` in two parts, and returns every directive.
    private static func fed(
        _ negotiation: Multistream,
        _ bytes: [UInt8],
        splitAt split: Int
    ) -> [Multistream.Directive] {
        var negotiation = negotiation
        return negotiation.receive(bytes[..<split]) + negotiation.receive(bytes[split...])
    }

    @Test func `a listener takes the first known proposal, however bytes are split`() {
        let bytes = Self.header + Multistream.line("/a/1") + Multistream.line("/b/1")
        for split in 0...bytes.count {
            let directives = Self.fed(.listener(["/b/1", "/c/1"]), bytes, splitAt: split)
            let sent = directives.flatMap { directive in
                if case .send(let bytes) = directive { bytes } else { [UInt8]() }
            }
            #expect(sent == Multistream.line("na") + Multistream.line("/b/1"))
            #expect(directives.last == .agreed("/b/1", rest: []))
        }
    }

    @Test func `a listener answers proposals that arrive together at once`() {
        var listener = Multistream.listener(["/b/1"])
        let refusals = (0..<3).flatMap { _ in Multistream.line("na") }
        let proposals = ["ls", "/x/1", "/x/2"].flatMap { Multistream.line($0) }
        #expect(listener.receive(Self.header + proposals) == [.send(refusals)])
        let answer = Multistream.Directive.send(Multistream.line("/b/1"))
        #expect(listener.receive(Multistream.line("/b/1")) == [answer, .agreed("/b/1", rest: [])])
    }

    @Test func `a dialler proposes the next after a refusal, however bytes are split`() {
        let negotiation = Multistream.dialer(["/a/1", "/b/1"])
        #expect(negotiation.opening == Self.header + Multistream.line("/a/1"))
        let bytes = Self.header + Multistream.line("na") + Multistream.line("/b/1")
        for split in 0...bytes.count {
            let directives = Self.fed(negotiation, bytes, splitAt: split)
            #expect(directives == [.send(Multistream.line("/b/1")), .agreed("/b/1", rest: [])])
        }
    }

    @Test func `passes the bytes after the last line to the protocol`() {
        var dialer = Multistream.dialer(["/a/1"])
        let answer = Self.header + Multistream.line("/a/1") + [1, 2, 3]
        #expect(dialer.receive(answer) == [.agreed("/a/1", rest: [1, 2, 3])])
    }

    @Test func `refuses a dialler with nothing left to propose`() {
        var dialer = Multistream.dialer(["/a/1"])
        #expect(dialer.receive(Self.header + Multistream.line("na")) == [.refused])
    }

    @Test(
        arguments: [
            (Multistream.line("/multistream/2.0.0"), .wrongHeader),
            ([0xFF, 0xFF, 0x03], .lineTooLong),
            ([0x80, 0x00], .malformedLine),
            ([0x00], .malformedLine),
            ([0x01, 0x0A], .malformedLine),
            ([0x03, 0x61, 0x61, 0x61], .malformedLine),
            ([0x03, 0xFF, 0xFE, 0x0A], .malformedLine),
        ] as [([UInt8], MultistreamOffence)]
    )
    func `an invalid line ends the negotiation`(
        bytes: [UInt8],
        offence: MultistreamOffence
    ) {
        var listener = Multistream.listener(["/a/1"])
        #expect(listener.receive(bytes) == [.offend(offence)])
    }

    /// - From peers: endless proposals of protocols → 4 are answered, in one piece
    @Test func `a listener gives up after a few proposals`() {
        var listener = Multistream.listener(["/a/1"])
        let proposals = (0..<Multistream.proposalsMax).flatMap { Multistream.line("/x/\($0)") }
        #expect(listener.receive(Self.header + proposals).count == 1)
        // Also a proposal that it knows.
        #expect(listener.receive(Multistream.line("/a/1")) == [.offend(.tooManyProposals)])
    }

    @Test func `a dialler refuses an answer that it did not ask for`() {
        var dialer = Multistream.dialer(["/a/1", "/b/1"])
        let answer = Self.header + Multistream.line("/b/1")
        #expect(dialer.receive(answer) == [.offend(.wrongAnswer)])
    }
}
