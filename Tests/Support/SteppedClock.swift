import Concurrency
import Synchronization

/// A clock that moves only when a test moves it.
package final class SteppedClock: MonotonicClock {
    private struct Waiter {
        let due: Duration
        let resumption: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Duration.zero
        var waiters: [UInt64: Waiter] = [:]
        var nextWaiter: UInt64 = 0
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())
    private let changes = Broadcast<Int>(0)

    package init() {}

    package var uptime: Duration { state.withLock { $0.now } }

    package func wait(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let isDue = await withTaskCancellationHandler {
            await withCheckedContinuation { resumption in
                let isAtOnce = state.withLock { state -> Bool? in
                    if state.cancelled.remove(number) != nil { return false }
                    guard duration > .zero else { return true }
                    let due = state.now + duration
                    state.waiters[number] = Waiter(due: due, resumption: resumption)
                    changes.send(state.waiters.count)
                    return nil
                }
                if let isAtOnce { resumption.resume(returning: isAtOnce) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> Waiter? in
                guard let waiter = state.waiters.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return nil
                }
                changes.send(state.waiters.count)
                return waiter
            }
            waiter?.resumption.resume(returning: false)
        }
        guard isDue else { throw CancellationError() }
    }

    /// Moves the time, and lets go on what has waited for it.
    package func advance(_ duration: Duration) {
        let due = state.withLock { state -> [Waiter] in
            state.now += duration
            let due = state.waiters.filter { $0.value.due <= state.now }
            for number in due.keys { state.waiters[number] = nil }
            changes.send(state.waiters.count)
            return due.values.sorted { $0.due < $1.due }
        }
        for waiter in due { waiter.resumption.resume(returning: true) }
    }

    /// Waits until something waits for the clock.
    package func untilAwaited() async {
        for await count in changes.values() where count > 0 { return }
    }

    /// Waits until so much waits for the clock that is due within some time.
    package func untilDue(_ count: Int = 1, within duration: Duration) async {
        for await _ in changes.values() {
            let due = state.withLock { state in
                state.waiters.values.count { $0.due <= state.now + duration }
            }
            if due >= count { return }
        }
    }
}
