/// The first of many elements in an order, found without sorting all of them.
struct FirstInOrder<Element> {
    /// Fewer elements are not worth sorting in between.
    private static var sortedMin: Int { 256 }

    private let count: Int
    private let precedes: (Element, Element) -> Bool
    private var kept: [Element] = []
    /// The last of the wanted number: listings that do not precede it are not among them.
    private var last: Element?

    /// Keeps the first `count` elements, at least one, in the order that `precedes` defines.
    init(_ count: Int, by precedes: @escaping (Element, Element) -> Bool) {
        (self.count, self.precedes) = (count, precedes)
    }

    mutating func add(_ element: Element) {
        if let last, !precedes(element, last) { return }
        kept.append(element)
        if kept.count >= max(4 * count, Self.sortedMin) { sort() }
    }

    /// The elements in order.
    mutating func sorted() -> [Element] {
        sort()
        return kept
    }

    private mutating func sort() {
        kept.sort(by: precedes)
        guard kept.count >= count else { return }
        kept.removeLast(kept.count - count)
        last = kept.last
    }
}
