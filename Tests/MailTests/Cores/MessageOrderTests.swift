import Answers
import Mail
import Market
import Support
import Testing

struct MessageOrderTests {
    /// A conversation as it fills, with the plain order beside the one that is tested.
    private struct Model {
        /// Device and number by place, from 1.
        private(set) var arrived: [(device: Int, number: UInt64)] = []
        private(set) var order = MessageOrder([])

        mutating func arrive(_ device: Int, _ number: UInt64) {
            let greater = arrived.enumerated()
                .filter { $0.element.device == device && $0.element.number > number }
                .min { $0.element.number < $1.element.number }
            arrived.append((device, number))
            order.note(
                number,
                at: UInt64(arrived.count),
                next: greater.map { UInt64($0.offset + 1) }
            )
        }

        func page(before place: UInt64?, limit: Int) -> [UInt64] {
            order.page(before: place, limit: limit) { below, limit in
                Array((1..<(below ?? UInt64(arrived.count + 1))).reversed().prefix(limit))
            }
        }

        /// All places in the order in which they are shown.
        var shown: [UInt64] { page(before: nil, limit: arrived.count + 1).reversed() }

        func numbers(of device: Int) -> [UInt64] {
            shown.map { arrived[Int($0) - 1] }.filter { $0.device == device }.map(\.number)
        }
    }

    @Test func `a late message is listed before its device's later ones`() {
        var model = Model()
        for (device, number) in [(1, 1), (1, 5), (2, 1), (1, 3), (1, 4), (2, 2), (1, 2)]
            as [(Int, UInt64)]
        {
            model.arrive(device, number)
        }
        #expect(model.shown == [1, 7, 4, 5, 2, 3, 6])
        #expect(model.page(before: 4, limit: 2) == [7, 1])
        #expect(model.page(before: 2, limit: 2) == [5, 4])
        #expect(model.page(before: 3, limit: 1) == [2])
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `keeps each device's order, moves no message, and pages completely`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var model = Model()
        var left = (1...60 as ClosedRange<UInt64>).flatMap { number in
            (1...3).map { (device: $0, number: number) }
        }
        var before: [UInt64] = []
        while !left.isEmpty {
            // Mostly in order, as mail comes; sometimes from far behind.
            let far = Int.random(in: 0..<8, using: &random) == 0
            let index = Int.random(in: 0..<min(left.count, far ? 60 : 4), using: &random)
            let next = left.remove(at: index)
            model.arrive(next.device, next.number)
            let shown = model.shown
            #expect(shown.filter { before.contains($0) } == before)
            before = shown
        }
        #expect(before.count == 180 && Set(before).count == 180)
        for device in 1...3 { #expect(model.numbers(of: device) == Array(1...60)) }
        for limit in [1, 7, 50] {
            var (pages, place): ([UInt64], UInt64?) = ([], nil)
            while case let page = model.page(before: place, limit: limit), !page.isEmpty {
                pages += page
                place = page.last
            }
            #expect(pages == before.reversed(), "\(limit)")
        }
    }

    @Test func `an endless series of late messages stays ordered and complete`() {
        var model = Model()
        let count = UInt64(MessageOrder.lateMax) + 50
        for number in (1...count).reversed() { model.arrive(1, number) }
        #expect(model.order.late.count == MessageOrder.lateMax)
        #expect(Set(model.shown).count == Int(count))
    }
}
