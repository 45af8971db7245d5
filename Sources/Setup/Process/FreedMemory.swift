import Glibc

/// Memory that the program has freed but its allocator still keeps.
package enum FreedMemory {
    private typealias Trim = @convention(c) (_ keptByteCount: Int) -> Int32

    /// glibc's `malloc_trim`, which Swift's overlay leaves out; `nil` with another C library.
    private static let trim: Trim? = unsafe dlsym(nil, "malloc_trim").map { symbol in
        unsafe unsafeBitCast(symbol, to: Trim.self)
    }

    /// Returns its pages to the system.
    ///
    /// Otherwise the allocator keeps the memory taken in a burst of work or an attack. A thread
    /// that allocates during this waits, for less than a millisecond if there is little to do.
    package static func giveBack() { _ = trim?(0) }
}
