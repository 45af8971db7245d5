/// One session of what a listing teaches, in their order.
package struct CurriculumSession: Hashable, Sendable {
    package static let sessionsMax = 40
    package static let titleByteCountMax = 160
    package static let contentByteCountMax = 1_000

    package let title: String
    /// May be empty.
    package let content: String

    package init(title: String, content: String = "") throws(RuleFault) {
        self.title = try PlainText.line(title, .curriculum, byteCountMax: Self.titleByteCountMax)
        self.content = try PlainText.lines(
            content,
            .curriculum,
            byteCountMax: Self.contentByteCountMax,
            mayBeEmpty: true
        )
    }

    static let wireSchema = WireSchema(.text, .text)

    init(wire: WireFields) throws(RuleFault) {
        try self.init(title: wire.text(1), content: wire.text(2))
    }

    /// Reads a list of sessions.
    static func list(_ wire: [WireFields]) throws(RuleFault) -> [CurriculumSession] {
        guard wire.count <= sessionsMax else { throw .tooMany(.curriculum, countMax: sessionsMax) }
        var list: [CurriculumSession] = []
        for session in wire { list.append(try CurriculumSession(wire: session)) }
        return list
    }

    /// Checks that sessions and a description together are no longer than a description alone may
    /// be.
    ///
    /// So a listing with a curriculum needs as much room as one without, see ``AnchoredAllowance``.
    static func check(
        _ sessions: [CurriculumSession],
        beside description: String
    ) throws(RuleFault) {
        guard sessions.count <= sessionsMax else {
            throw .tooMany(.curriculum, countMax: sessionsMax)
        }
        let byteCountMax = ListingRules.descriptionByteCountMax
        let byteCount = sessions.reduce(description.utf8.count) {
            $0 + $1.title.utf8.count + $1.content.utf8.count + framingByteCount
        }
        guard byteCount <= byteCountMax else {
            throw .tooLong(.curriculum, byteCountMax: byteCountMax)
        }
    }

    /// The bytes of a session on the wire besides its texts, at most.
    private static let framingByteCount = 8

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, title)
        wire.write(2, content)
        return wire.bytes
    }
}
