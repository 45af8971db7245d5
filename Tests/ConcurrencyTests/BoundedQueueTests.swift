import Concurrency
import Testing

struct BoundedQueueTests {
    @Test func `makes the sender wait while it is full, and loses nothing`() async {
        let queue = BoundedQueue<Int>(elementsMax: 2)
        let received = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<100 { await queue.send(number) }
                queue.finish()
            }
            var received: [Int] = []
            while let number = await queue.receive() { received.append(number) }
            return received
        }
        #expect(received == Array(0..<100))
        #expect(await queue.send(1) == false)
        #expect(queue.offer(1) == false)
    }

    @Test func `accepts only as many items as fit, and returns all that it holds`() {
        let queue = BoundedQueue<Int>(elementsMax: 2)
        #expect((0..<3).map(queue.offer) == [true, true, false])
        queue.finish()
        #expect([queue.poll(), queue.poll(), queue.poll()] == [0, 1, nil])
    }

    @Test func `a cancelled task neither sends nor receives`() async {
        let queue = BoundedQueue<Int>(elementsMax: 1)
        _ = queue.offer(7)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            group.addTask { await queue.send(8) }
            group.cancelAll()
            group.addTask { await queue.receive() == nil }
            var outcomes: [Bool] = []
            for await outcome in group { outcomes.append(outcome) }
            return outcomes.sorted { !$0 && $1 }
        }
        #expect(outcomes == [false, true])
        #expect(queue.poll() == 7)
    }
}
