import Glibc

/// Memory that the program has freed and its allocator still holds.
package enum FreedMemory {
    private typealias Trim = @convention(c) (_ keptByteCount: Int) -> Int32

    /// glibc's `malloc_trim`, which Swift's overlay leaves out; `nil` with another C library.
    private static let trim: Trim? = unsafe dlsym(nil, "malloc_trim").map { symbol in
        unsafe unsafeBitCast(symbol, to: Trim.self)
    }

    /// Gives its pages back to the system.
    ///
    /// Otherwise the allocator keeps what a burst of work or an attack made it take. A thread that
    /// allocates during this waits, for less than a millisecond if there is little to do.
    package static func giveBack() { _ = trim?(0) }
}
