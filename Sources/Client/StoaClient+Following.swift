import Concurrency

extension StoaClient {
    /// Follows an operation to its end.
    ///
    /// Queries the operation whenever an event reports progress, and regularly besides, so that a
    /// lost connection only delays it.
    ///
    /// - Parameters:
    ///   - operation: The operation, as the call that began it returned it.
    ///   - change: Called with each state, the first included.
    /// - Returns: The operation, `done` or `failed`.
    /// - Throws: ``Problem`` and ``ClientError`` of the calls, and what `change` throws.
    public func follow(
        _ operation: Operation,
        _ change: (Operation) async throws -> Void
    ) async throws -> Operation {
        var latest = operation
        try await change(latest)
        guard latest.isRunning else { return latest }
        let (looks, look) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for try await event in events() where event.subject == operation.id { look.yield() }
            }
            group.addTask {
                while true {
                    look.yield()
                    try await exchange.clock.wait(limits.operationLook)
                }
            }
            defer { group.cancelAll() }
            for await _ in looks {
                let now = try await self.operation(operation.id)
                guard now != latest else { continue }
                latest = now
                try await change(latest)
                guard latest.isRunning else { return latest }
            }
            throw CancellationError()
        }
    }
}
