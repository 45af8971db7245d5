package import Concurrency
import Dispatch
import Glibc
package import GossipProtocol
import Synchronization

/// A resolver of host names with few look-ups at a time.
///
/// Names that peers choose therefore cannot use up threads. They and the operator's own names have
/// separate slots, so slow names from peers do not delay names of the configuration.
///
/// The system's resolver blocks a thread and cannot be interrupted: a name that takes too long is
/// abandoned, but keeps its slot until the system answers.
package final class NameResolver: Sendable {
    package typealias LookUp = @Sendable (String) -> [IPAddress]

    private let lookUpsMax: Int
    private let timeMax: Duration
    private let clock: any MonotonicClock
    private let lookUp: LookUp
    /// Running look-ups: of peers' names (`false`) and of the operator's own (`true`).
    private let running = Mutex([false: 0, true: 0])

    package init(
        lookUpsMax: Int = 16,
        timeMax: Duration = .seconds(5),
        clock: any MonotonicClock = .system,
        lookUp: @escaping LookUp = NameResolver.system
    ) {
        (self.lookUpsMax, self.timeMax) = (lookUpsMax, timeMax)
        (self.clock, self.lookUp) = (clock, lookUp)
    }

    /// Returns a name's addresses, in the resolver's order.
    ///
    /// Empty if the name has none or takes too long, or if too many look-ups are running.
    package func addresses(of name: String, isOwn: Bool) async -> [IPAddress] {
        let isFree = running.withLock { counts in
            guard counts[isOwn, default: 0] < lookUpsMax else { return false }
            counts[isOwn, default: 0] += 1
            return true
        }
        guard isFree else { return [] }
        let answer = BoundedQueue<[IPAddress]>(elementsMax: 1)
        DispatchQueue.global().async { [self] in
            _ = answer.offer(lookUp(name))
            answer.finish()
            running.withLock { $0[isOwn, default: 0] -= 1 }
        }
        return await withTaskGroup { group in
            group.addTask { [timeMax, clock] in
                // Cancelled as soon as there is an answer.
                try? await clock.wait(timeMax)
                answer.finish()
            }
            let found = await answer.receive() ?? []
            group.cancelAll()
            return found
        }
    }

    /// Asks the system's resolver.
    package static func system(_ name: String) -> [IPAddress] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(name, nil, &hints, &first) == 0 else { return [] }
        defer { unsafe freeaddrinfo(first) }
        var found: [IPAddress] = []
        var next = unsafe first
        while let info = unsafe next {
            if let address = unsafe address(info.pointee), !found.contains(address) {
                found.append(address)
            }
            unsafe next = info.pointee.ai_next
        }
        return found
    }

    /// Reads the address out of a `sockaddr_in` or `sockaddr_in6`.
    ///
    /// Source: RFC 3493, section 3.3. The address follows family and port, and in IPv6 the flow
    /// label.
    private static func address(_ info: addrinfo) -> IPAddress? {
        guard let socket = unsafe UnsafeRawPointer(info.ai_addr) else { return nil }
        let (start, count): (Int, Int)
        switch unsafe info.ai_family {
        case AF_INET: (start, count) = (4, 4)
        case AF_INET6: (start, count) = (8, 16)
        default: return nil
        }
        let bytes = unsafe UnsafeRawBufferPointer(start: socket + start, count: count)
        return IPAddress(bytes: unsafe [UInt8](bytes))
    }
}
