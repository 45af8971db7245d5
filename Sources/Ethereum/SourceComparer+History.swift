import Market

/// Reads events that endpoints may no longer have, or may not return all at once.
extension SourceComparer {
    /// Which blocks of a range an endpoint has, after it has said that it lacks some.
    enum History {
        /// It lacks new blocks, but no block was removed.
        case unknown
        /// It has removed them all.
        case none
        /// It has removed the first, but not the last: this is the older half.
        case part(ClosedRange<UInt64>)
    }

    /// Determines which blocks of a range an endpoint has removed.
    ///
    /// Old blocks are removed before newer ones, so if the last block of a range is gone, the whole
    /// range is.
    func history(of session: EndpointSession, in range: ClosedRange<UInt64>) async -> History {
        guard await client.lacks(range.lowerBound, session) else { return .unknown }
        if await client.lacks(range.upperBound, session) { return .none }
        let last = range.upperBound...range.upperBound
        // The failure is recorded.
        _ = try? await session.perform(.logs(configuration.filter, in: last))
        if await client.lacks(range.upperBound, session) { return .none }
        guard range.count > 1 else { return .unknown }
        return .part(range.lowerBound...range.lowerBound + UInt64(range.count) / 2 - 1)
    }

    /// Returns a block of which only the source of the events still has the history.
    ///
    /// Its events then count as confirmed: no other endpoint can confirm them, and before money
    /// moves a second endpoint is asked for the sale itself.
    func onlyBlock(at height: UInt64, of source: EndpointName?) async -> BlockID? {
        guard let source else { return nil }
        if let mark = follower.mark(at: height) { return mark }
        // Without an answer, the next poll asks again.
        guard let session = try? await client.session(of: source),
            let found = try? await session.perform(.block(.number(height))),
            found.number == height
        else { return nil }
        return found.id
    }

    /// Reads an endpoint's logs of a range; `nil` if it answers for fewer blocks.
    func logs(
        of other: EndpointSession,
        in range: ClosedRange<UInt64>,
        _ filter: LogFilter
    ) async throws -> [ContractEvent]? {
        guard !filter.addresses.isEmpty else { return [] }
        let logs: [ContractEvent]
        do {
            logs = try await other.perform(.logs(filter, in: range))
        } catch EthereumError.tooManyBlocks {
            return nil
        }
        guard logs.allSatisfy({ range.contains($0.block.number) && filter.matches($0) }) else {
            await client.mistrust(other, because: "an event that was not asked for")
            throw EthereumError.contradiction(other.name, detail: "an event that was not asked for")
        }
        return logs
    }
}
