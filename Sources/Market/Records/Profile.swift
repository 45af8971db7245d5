/// An account's public profile, and the homes of its mail.
package struct Profile: Hashable, Sendable {
    package static let nameByteCountMax = 64
    package static let aboutByteCountMax = 2_048
    package static let regionByteCountMax = 120
    package static let homesMax = 4

    package let name: String
    package let about: String
    package let avatar: Media?
    package let region: String
    package let homes: [HomeLease]

    package init(
        name: String,
        about: String = "",
        avatar: Media? = nil,
        region: String = "",
        homes: [HomeLease] = []
    ) throws(RuleFault) {
        self.name = try PlainText.name(name, .name, byteCountMax: Self.nameByteCountMax)
        self.about = try PlainText.lines(
            about,
            .about,
            byteCountMax: Self.aboutByteCountMax,
            mayBeEmpty: true
        )
        self.region = try PlainText.line(
            region,
            .region,
            byteCountMax: Self.regionByteCountMax,
            mayBeEmpty: true
        )
        guard avatar?.form.isImage ?? true else { throw .malformed(.avatar) }
        guard homes.count <= Self.homesMax else {
            throw .tooMany(.homes, countMax: Self.homesMax)
        }
        guard Set(homes.map(\.peer)).count == homes.count else { throw .repeated(.homes) }
        self.avatar = avatar
        self.homes = homes
    }

    static let wireSchema = WireSchema(
        .text,
        .text,
        .message(Media.wireSchema),
        .text,
        .repeated(.message(HomeLease.wireSchema))
    )

    init(wire: WireFields) throws(RuleFault) {
        var homes: [HomeLease] = []
        for lease in wire.messages(5) { homes.append(try HomeLease(wire: lease)) }
        try self.init(
            name: wire.text(1),
            about: wire.text(2),
            avatar: wire.has(3) ? try Media(wire: wire.message(3), .avatar) : nil,
            region: wire.text(4),
            homes: homes
        )
    }

    var wire: [UInt8] {
        var wire = WireWriter()
        wire.write(1, name)
        wire.write(2, about)
        if let avatar { wire.member(3, avatar.wire) }
        wire.write(4, region)
        wire.write(5, all: homes.map(\.bytes))
        return wire.bytes
    }
}
