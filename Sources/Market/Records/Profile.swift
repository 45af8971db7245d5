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

    init(wire: WireProfile) throws(RuleFault) {
        var homes: [HomeLease] = []
        for lease in wire.homes { homes.append(try HomeLease(wire: lease)) }
        try self.init(
            name: wire.name,
            about: wire.about,
            avatar: wire.hasAvatar ? try Media(wire: wire.avatar, .avatar) : nil,
            region: wire.region,
            homes: homes
        )
    }

    var wire: WireProfile {
        var wire = WireProfile()
        wire.name = name
        wire.about = about
        if let avatar { wire.avatar = avatar.wire }
        wire.region = region
        wire.homes = homes.map(\.wire)
        return wire
    }
}
