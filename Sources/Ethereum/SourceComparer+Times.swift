import Market

/// Compares the times of blocks.
extension SourceComparer {
    /// Reads headers by height, and remembers the times that their hashes prove.
    ///
    /// An endpoint that gives a block another time than its hash proves is mistrusted, and so is
    /// one that gives it two filters.
    ///
    /// - Returns: The headers, without filters that their hashes do not prove, on a chain whose
    ///   headers can.
    func wholeHeaders(
        _ numbers: [UInt64],
        by session: EndpointSession
    ) async throws -> [BlockHeader?] {
        let found = try await session.perform(numbers.map { RPCCall.whole(.number($0)) })
        guard blockTimes.note(found.compactMap(\.self)) else {
            let detail = "a time of a block that its hash refutes"
            await client.mistrust(session, because: detail)
            throw EthereumError.contradiction(session.name, detail: detail)
        }
        for block in found.compactMap(\.self) where !blockTimes.note(block.header, by: session.name)
        {
            let detail = "another filter of a block's logs than before"
            await client.mistrust(session, because: detail)
            throw EthereumError.contradiction(session.name, detail: detail)
        }
        let canProve = await client.hasProvenHead
        return found.map { block in
            block.map { $0.isProven || canProve ? $0.provenHeader : $0.header }
        }
    }

    /// Returns the times of the blocks of applied events: those that are proven, and an endpoint's.
    ///
    /// An endpoint that does not have a header, such as an old one, says nothing about its time.
    ///
    /// - Returns: `nil` if it has another block at one of these heights.
    func times(
        of applied: [AppliedEvent],
        by session: EndpointSession
    ) async throws -> [BlockID: UInt64]? {
        var times: [BlockID: UInt64] = [:]
        for block in applied.map(\.log.block) { times[block] = blockTimes.proven(block.hash) }
        let blocks = Set(applied.map(\.log.block)).filter { times[$0] == nil }
            .sorted { $0.number < $1.number }
        do {
            let found = try await wholeHeaders(blocks.map(\.number), by: session)
            for (block, header) in zip(blocks, found) {
                guard let header else { continue }
                guard header.id == block else { return nil }
                times[block] = header.timestamp
            }
        } catch let error as EthereumError where error.isOfHistory {
            // Headers that it has are asked for again with the next question.
        }
        return times
    }

    /// Compares the time of the newest block with that which other endpoints give it.
    ///
    /// If they differ, the time that the block's hash covers is right, or else that of two of
    /// three. An endpoint with another time is mistrusted.
    ///
    /// - Returns: Whether a second endpoint gives the block this time.
    /// - Throws: ``EthereumError/contradiction(_:detail:)`` if that is the endpoint that is
    ///   followed.
    @discardableResult
    func requireTime(of header: BlockHeader, through session: EndpointSession) async throws -> Bool
    {
        guard configuration.endpoints.count > 1 else { return false }
        var votes = [(session: session, time: header.timestamp)]
        var asked = Set([session.name])
        while votes.count < 3, let other = try await client.another(than: asked) {
            asked.insert(other.name)
            do {
                let found = try await other.perform(.block(.number(header.number)))
                // It may be at another block, or on another fork.
                guard let found, found.id == header.id else { continue }
                votes.append((other, found.timestamp))
                if votes.count == 2, found.timestamp == header.timestamp { return true }
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        let times = votes.map(\.time)
        guard Set(times).count > 1 else { return false }
        let common = times.first { time in times.count { $0 == time } > 1 }
        let proven = try await provenTime(of: header.id, by: votes.map(\.session))
        guard let right = proven ?? common else { return false }
        let detail = "another time of a block than others have"
        for vote in votes where vote.time != right {
            await client.mistrust(vote.session, because: detail)
        }
        guard header.timestamp == right else {
            throw EthereumError.contradiction(session.name, detail: detail)
        }
        return true
    }

    /// Returns the time of a block that its hash covers, by the first endpoint whose header has
    /// that hash; `nil` if none has, as on chains with other headers.
    private func provenTime(of block: BlockID, by sessions: [EndpointSession]) async throws
        -> UInt64?
    {
        for session in sessions {
            do {
                let found = try await session.perform(RPCCall.whole(.hash(block.hash)))
                if let found, found.isProven, found.header.id == block {
                    return found.header.timestamp
                }
            } catch let error as EthereumError where error.isEndpointsFault {
                continue
            }
        }
        return nil
    }
}
