/// The order in which a conversation shows its messages.
///
/// Laws:
/// - Messages are in the order of their arrival. If later messages of the same device arrived
///   before a message, it is placed directly before the first of those.
/// - So the messages of each device are in the order of their numbers, and no message moves when
///   others arrive.
package struct MessageOrder: Sendable {
    /// A message that arrived after a later one of its device.
    package struct Late: Codable, Hashable, Sendable {
        /// Where it arrived.
        package let place: UInt64
        package let number: UInt64
        /// The position of the message before which it is shown.
        package let before: UInt64

        package init(place: UInt64, number: UInt64, before: UInt64) {
            (self.place, self.number, self.before) = (place, number, before)
        }
    }

    /// How many late messages of a conversation keep their order; the first go first.
    package static let lateMax = 256

    package private(set) var late: [Late]

    package init(_ late: [Late]) { self.late = late }

    /// Records a message that has just arrived.
    ///
    /// - Parameters:
    ///   - number: Its number.
    ///   - place: Its position by arrival.
    ///   - next: The position of the message of its device with the next greater number; `nil` if
    ///     there is
    ///     none.
    package mutating func note(_ number: UInt64, at place: UInt64, next: UInt64?) {
        guard let next else { return }
        // A message before that one arrived no later than the messages with still greater numbers.
        let before = late.first { $0.place == next }?.before ?? next
        late.append(Late(place: place, number: number, before: before))
        guard late.count > Self.lateMax,
            let first = late.indices.min(by: { late[$0].before < late[$1].before })
        else { return }
        late.remove(at: first)
    }

    /// Returns the positions of a page, the last message first.
    ///
    /// - Parameters:
    ///   - start: The position of the message before which the page ends; `nil` for the last page.
    ///   - limit: The maximum number of messages.
    ///   - arrived: Returns at most `limit` positions below one, the greatest first.
    /// - Returns: At most `limit` positions.
    package func page(
        before start: UInt64?,
        limit: Int,
        _ arrived: (_ below: UInt64?, _ limit: Int) throws -> [UInt64]
    ) rethrows -> [UInt64] {
        guard !late.isEmpty else { return try arrived(start, limit) }
        let latePlaces = Set(late.map(\.place))
        var page: [UInt64] = []
        var end = start
        if let start {
            let own = late.first { $0.place == start }
            page = places(before: own?.before ?? start, below: own?.number)
            end = own?.before ?? start
        }
        while page.count < limit {
            let next = try arrived(end, limit)
            guard let last = next.last else { break }
            for place in next where !latePlaces.contains(place) {
                page.append(place)
                page += places(before: place)
            }
            end = last
        }
        return Array(page.prefix(limit))
    }

    /// Returns the late messages that stand directly before a message, the last one first; with
    /// `number`, only those with a smaller one.
    private func places(before place: UInt64, below number: UInt64? = nil) -> [UInt64] {
        late.filter { $0.before == place && $0.number < number ?? .max }
            .sorted { $0.number > $1.number }
            .map(\.place)
    }
}
