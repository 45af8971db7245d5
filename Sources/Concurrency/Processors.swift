import Dispatch
import Foundation
import Synchronization

/// The processors of this machine.
package enum Processors {
    package static let count = ProcessInfo.processInfo.activeProcessorCount

    /// Calls `body` with parts of an array, on several processors at a time.
    ///
    /// The caller's thread works, too, and waits for the others; so `body` must not wait for
    /// anything.
    ///
    /// - Parameters:
    ///   - elements: The array.
    ///   - partsMax: The maximum number of parts.
    ///   - countMin: Fewer elements are not worth a part.
    ///   - body: Gets consecutive elements.
    /// - Returns: Its results, in the order of the parts.
    package static func map<Element: Sendable, Part: Sendable>(
        _ elements: [Element],
        partsMax: Int = count,
        countMin: Int = 8,
        _ body: @Sendable (ArraySlice<Element>) -> Part
    ) -> [Part] {
        let parts = max(min(partsMax, elements.count / countMin), 1)
        guard parts > 1 else { return [body(elements[...])] }
        let made = Mutex([Part?](repeating: nil, count: parts))
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let (start, end) = (elements.count * part / parts, elements.count * (part + 1) / parts)
            let result = body(elements[start..<end])
            made.withLock { $0[part] = result }
        }
        return made.withLock { $0.compactMap(\.self) }
    }
}
