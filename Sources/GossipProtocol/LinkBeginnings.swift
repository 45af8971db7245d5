/// How many links each address and each subnet began lately, under whatever keys.
///
/// Pure and bounded: the caller passes in the time, one opening is forgotten each interval, and a
/// full table forgets the address with the fewest openings.
///
/// Source: Docs/protocol.md, section 7.5.
package struct LinkBeginnings: Sendable {
    /// How long one opening counts; if there are several, one is forgotten per interval.
    package static let interval = Duration.seconds(15)
    /// The most that are counted for one address or subnet.
    package static let countMax = 64

    private var groups = Table<AddressGroup>()
    private var subnets = Table<[UInt8]>()

    package init() {}

    /// Counts a link that `group` began.
    package mutating func note(_ group: AddressGroup, at now: Moment) {
        groups.add(group, at: now)
        subnets.add(group.subnet, at: now)
    }

    /// Returns how many links `group` began lately.
    ///
    /// Half the number of its subnet counts if that is more, so that no owner of a subnet begins
    /// more links by changing addresses.
    package func count(of group: AddressGroup, at now: Moment) -> Int {
        max(groups.count(of: group, at: now), subnets.count(of: group.subnet, at: now) / 2)
    }

    private struct Table<Key: Hashable & Sendable>: Sendable {
        private struct Entry {
            var count: Double
            var at: Moment

            /// The count after decay.
            func left(at now: Moment) -> Double {
                let passed = max(.zero, now.sinceStart - at.sinceStart)
                return max(0, count - passed / LinkBeginnings.interval)
            }
        }

        private static var keysMax: Int { 4_096 }

        private var entries: [Key: Entry] = [:]

        mutating func add(_ key: Key, at now: Moment) {
            if entries[key] == nil, entries.count >= Self.keysMax { makeRoom(at: now) }
            let count = (entries[key]?.left(at: now) ?? 0) + 1
            entries[key] = Entry(count: min(count, Double(LinkBeginnings.countMax)), at: now)
        }

        func count(of key: Key, at now: Moment) -> Int {
            Int((entries[key]?.left(at: now) ?? 0).rounded(.up))
        }

        private mutating func makeRoom(at now: Moment) {
            entries = entries.filter { $0.value.left(at: now) > 0 }
            guard entries.count >= Self.keysMax else { return }
            let fewest = entries.min { $0.value.left(at: now) < $1.value.left(at: now) }
            if let fewest { entries[fewest.key] = nil }
        }
    }
}
