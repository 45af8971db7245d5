import Answers
import CProcess
import Client
import Concurrency
import Dispatch
import Foundation
import MailSupport
import Support
import Testing

@testable import AccountAccess

@Suite(.timeLimit(.minutes(1)))
struct DerivationSchedulerTests {
    @Test func `derivations run on their own threads, at a lower priority`() async throws {
        // More than there are processors: on the threads of tasks they would stop all of these.
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let held = DispatchSemaphore(value: 0)
        let begun = BoundedQueue<Bool>(elementsMax: count)
        let niceness = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await DerivationThread.run {
                        _ = begun.offer(true)
                        held.wait()
                        return stoa_niceness()
                    }
                }
            }
            group.addTask {
                for _ in 0..<count { _ = await begun.receive() }
                for _ in 0..<count { held.signal() }
                return DerivationThread.niceness
            }
            return try await group.reduce(into: Set<Int32>()) { $0.insert($1) }
        }
        #expect(niceness == [DerivationThread.niceness])
    }

    @Test func `a cancelled caller leaves the queue, and no key is derived for it`() async throws {
        let scheduler = DerivationScheduler()
        let (begun, held) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await scheduler.run(for: .elsewhere("first")) {
                    begun.signal()
                    held.wait()
                    return true
                }
            }
            _ = try await DerivationThread.run { begun.wait() }
            let waiting = Task {
                try await scheduler.run(for: .elsewhere("second")) {
                    Issue.record("was derived for")
                }
            }
            while scheduler.waitingCount == 0 { await Task.yield() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { try await waiting.value }
            #expect(scheduler.waitingCount == 0)
            held.signal()
            #expect(try await group.next() == true)
        }
        #expect(try await scheduler.run(for: .elsewhere("third")) { 3 } == 3)
    }

    /// - From people: passwords from other machines while many are waiting → too_many_tries, with
    ///   `Retry-After`
    @Test func `a full queue refuses at once and says when to try again`() async throws {
        let scheduler = DerivationScheduler()
        let held = DispatchSemaphore(value: 0)
        try await scheduler.run(for: .elsewhere("late")) {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0...DerivationQueue.elsewhereWaitingMax {
                group.addTask {
                    try await scheduler.run(for: .elsewhere("\(number)")) { held.wait() }
                }
            }
            while scheduler.waitingCount < DerivationQueue.elsewhereWaitingMax {
                await Task.yield()
            }
            let refusal = await #expect(throws: Refusal.self) {
                try await scheduler.run(for: .elsewhere("late")) {}
            }
            #expect(refusal?.code == .tooManyTries && refusal?.retryAfter != nil)
            // Nobody of this machine waits for strangers.
            #expect(try await scheduler.run(for: .thisMachine(nil)) { 1 } == 1)
            for _ in 0...DerivationQueue.elsewhereWaitingMax { held.signal() }
            try await group.waitForAll()
        }
    }

    @Test func `a caller whose place another network takes is refused at once`() async throws {
        let scheduler = DerivationScheduler()
        let held = DispatchSemaphore(value: 0)
        let callers = DerivationQueue.elsewhereWaitingMax + 1
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0...callers {
                // Two of each network, and at last one of a network without any.
                let caller = CallerGroup.elsewhere(number == callers ? "new" : "\(number / 2)")
                if number == callers {
                    while scheduler.waitingCount < callers - 1 { await Task.yield() }
                }
                group.addTask {
                    do {
                        try await scheduler.run(for: caller) { held.wait() }
                        return false
                    } catch let refusal as Refusal {
                        return refusal.code == .tooManyTries && refusal.retryAfter != nil
                    }
                }
            }
            #expect(try await group.next() == true)
            for _ in 0..<callers { held.signal() }
            for try await isRefused in group { #expect(!isRefused) }
        }
    }

    @Test func `derives from a phrase in the queue, as from a password`() async throws {
        let folder = try TemporaryFolder()
        try await ChatHarness.run { harness in
            let node = try await harness.start("one", in: folder)
            _ = try await node.createAccount("ana")
            let (accounts, caller) = (node.accounts, CallerGroup.elsewhere("first"))
            let derivations = await accounts.derivations
            let change = PasswordChange(
                phrase:
                    "legal winner thank year wave sausage worth useful legal winner thank yellow",
                newPassword: "another horse"
            )
            func refusal() async -> ProblemCode? {
                do {
                    try await accounts.changePassword(of: "ana", change, by: caller)
                    return nil
                } catch {
                    return (error as? Refusal)?.code
                }
            }
            let (begun, held) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            try await withThrowingTaskGroup { group in
                for _ in 0...DerivationQueue.networkWaitingMax {
                    group.addTask {
                        try await derivations.run(for: caller) {
                            begun.signal()
                            held.wait()
                        }
                    }
                }
                _ = try await DerivationThread.run { begun.wait() }
                while derivations.waitingCount < DerivationQueue.networkWaitingMax {
                    await Task.yield()
                }
                #expect(await refusal() == .tooManyTries)
                for _ in 0...DerivationQueue.networkWaitingMax { held.signal() }
                try await group.waitForAll()
            }
            // It is another account's.
            #expect(await refusal() == .badPhrase)
        }
    }
}
