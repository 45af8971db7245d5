import Concurrency
import Testing

/// Readers of a broadcast that end while values are sent.
@Suite(.timeLimit(.minutes(2)))
struct BroadcastCancellationTests {
    @Test func `readers can be cancelled while a value is sent`() async {
        let broadcast = Broadcast(0)
        await withTaskGroup { group in
            group.addTask { @concurrent in
                var number = 0
                while !Task.isCancelled {
                    number += 1
                    broadcast.send(number)
                }
            }
            for _ in 0..<3_000 {
                await withTaskGroup { readers in
                    readers.addTask { @concurrent in
                        for await _ in broadcast.values() {}
                    }
                    await Task.yield()
                    readers.cancelAll()
                }
            }
            group.cancelAll()
        }
    }

    @Test func `a reader gets the newest of values that are sent at once`() async {
        for _ in 0..<200 {
            let broadcast = Broadcast<Int>()
            let values = broadcast.values()
            await withTaskGroup { group in
                for number in 0..<4 { group.addTask { @concurrent in broadcast.send(number) } }
            }
            var reader = values.makeAsyncIterator()
            #expect(await reader.next() == broadcast.newest)
        }
    }
}
