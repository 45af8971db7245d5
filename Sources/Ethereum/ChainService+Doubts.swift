import Concurrency
package import Logging
import Market

/// Asks again for logs that an endpoint may have left out.
extension ChainService {
    /// Performs a directive about blocks whose filters name contracts without logs.
    func resolve(
        _ directive: ChainFollower.Directive,
        through session: EndpointSession
    ) async throws -> ChainFollower.Event? {
        switch directive {
        case .fetchLogsAgain(let blocks):
            return try await logsAgain(of: blocks, through: session)
        case .leftOut(let blocks):
            for block in blocks { note(.leftOut(block.number), by: session.name) }
        case .suspect(let blocks, isWaiting: true):
            try await askOther(about: blocks, than: session)
        case .suspect(let blocks, isWaiting: false):
            for block in blocks { note(.noLogs(block.number), by: session.name) }
        default: preconditionFailure("no directive about doubtful blocks")
        }
        return nil
    }

    private func logsAgain(
        of blocks: [BlockID],
        through session: EndpointSession
    ) async throws -> ChainFollower.Event {
        count("stoa_chain_logs_asked_again", 1)
        if blocks.count <= configuration.limits.doubtedBlocksMax {
            do {
                return .logsAgain(try await logs(of: blocks, through: session))
            } catch EthereumError.refused {
                // Not every endpoint accepts a block's hash here.
            }
        }
        guard let first = blocks.first, let last = blocks.last else { return .logsAgain([]) }
        switch try await logs(in: first.number...last.number, through: session) {
        case .logs(let logs): return .logsAgain(logs)
        case let other: return other
        }
    }

    private func logs(
        of blocks: [BlockID],
        through session: EndpointSession
    ) async throws -> [ContractEvent] {
        let calls = blocks.map { RPCCall.logs(configuration.filter, of: $0.hash) }
        return try await session.perform(calls).flatMap(\.self)
    }

    /// Mistrusts the endpoint if another one has logs of blocks for which this one has none.
    private func askOther(about blocks: [BlockID], than session: EndpointSession) async throws {
        guard configuration.endpoints.count > 1,
            let other = try await client.another(than: [session.name])
        else { return }
        do {
            let found = Set(try await logs(of: blocks, through: other).map(\.block))
            guard let block = blocks.first(where: found.contains) else { return }
            note(.leftOut(block.number), by: session.name)
            await client.mistrust(session, because: "no events of a block whose filter names them")
        } catch let error as EthereumError {
            logger.debug("no second answer", metadata: ["error": "\(error)"])
        }
    }

    /// Records that an endpoint withholds something; the listener is told at the next poll.
    package func note(_ finding: EndpointNotice.Finding, by endpoint: EndpointName) {
        count("stoa_chain_logs_left_out", 1)
        let notice = EndpointNotice(finding, by: endpoint)
        guard notices.add(notice, at: clock.uptime) else { return }
        logger.error(
            "an endpoint leaves out events",
            metadata: ["endpoint": "\(endpoint)", "finding": "\(finding)"]
        )
    }

    /// Logs a line that endpoints can cause: at most one an hour about each subject, with a count;
    /// the others have the level `debug`.
    package func logFinding(
        _ message: Logger.Message,
        about subject: String,
        level: Logger.Level = .error,
        metadata: Logger.Metadata
    ) {
        guard let count = findings.note("\(message) \(subject)") else {
            logger.debug(message, metadata: metadata)
            return
        }
        let counted = metadata.merging(["count": "\(count)"]) { $1 }
        logger.log(level: level, message, metadata: counted)
    }

    /// Reports to the listener the data that endpoints were found to withhold since the last call.
    func tellNotices() async throws {
        for notice in notices.take() { try await notify(.noticed(notice)) }
    }
}
