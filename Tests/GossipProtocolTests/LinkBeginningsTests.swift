import GossipProtocol
import Testing

struct LinkBeginningsTests {
    private static func group(_ bytes: UInt8...) throws -> AddressGroup {
        AddressGroup(try #require(IPAddress(bytes: bytes)))
    }

    private static func at(_ seconds: Int) -> Moment { .start + .seconds(seconds) }

    @Test func `forgets link openings one by one`() throws {
        var beginnings = LinkBeginnings()
        let one = try Self.group(203, 0, 113, 1)
        for _ in 0..<3 { beginnings.note(one, at: Self.at(0)) }
        #expect(beginnings.count(of: one, at: Self.at(0)) == 3)
        #expect(beginnings.count(of: one, at: Self.at(15)) == 2)
        #expect(beginnings.count(of: one, at: Self.at(45)) == 0)
        for _ in 0..<1_000 { beginnings.note(one, at: Self.at(60)) }
        #expect(beginnings.count(of: one, at: Self.at(60)) == LinkBeginnings.countMax)
    }

    @Test func `a subnet's owner gains no links by changing addresses`() throws {
        var beginnings = LinkBeginnings()
        for last in 0..<40 as Range<UInt8> {
            beginnings.note(try Self.group(203, 0, 113, last), at: Self.at(0))
        }
        #expect(beginnings.count(of: try Self.group(203, 0, 113, 200), at: Self.at(0)) == 20)
        #expect(beginnings.count(of: try Self.group(203, 0, 114, 1), at: Self.at(0)) == 0)
    }

    @Test func `a full table forgets the address that opened the fewest links`() throws {
        var beginnings = LinkBeginnings()
        let busy = try Self.group(203, 0, 113, 1)
        for _ in 0..<10 { beginnings.note(busy, at: Self.at(0)) }
        for number in 0..<5_000 {
            let other = try Self.group(10, UInt8(number / 250), UInt8(number % 250), 1)
            beginnings.note(other, at: Self.at(0))
        }
        #expect(beginnings.count(of: busy, at: Self.at(0)) == 10)
    }
}
