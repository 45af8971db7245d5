import Glibc
import Synchronization

/// An allocator of memory for secrets, in pages kept out of swap and core files.
///
/// Small pieces share pages, because a process can lock only a few megabytes (`RLIMIT_MEMLOCK`). If
/// the system refuses to lock a page, the page is used unlocked; see ``isLocked(_:)``. Freed memory
/// is overwritten immediately. Pages of small pieces are kept for reuse.
///
/// Source: mlock(2), madvise(2) "MADV_DONTDUMP", explicit_bzero(3).
@safe
package final class LockedMemory: Sendable {
    /// The allocator of all secrets of the process.
    package static let shared = LockedMemory()

    private static let pageBytes = 4_096
    private static let slotBytes = 64
    private static let slotsOfPage = pageBytes / slotBytes
    /// Larger pieces, such as the tables of a key derivation, are overwritten but not locked.
    private static let lockedBytesMax = 64 * 1_024

    private struct Page {
        /// One bit per slot, set if the slot is in use.
        var used: UInt64 = 0
        let isLocked: Bool
    }

    /// Pages by their start address.
    private let pages = Mutex<[UInt: Page]>([:])
    private let lock: @Sendable (UnsafeMutableRawPointer, Int) -> Bool

    package convenience init() {
        unsafe self.init { unsafe mlock($0, $1) == 0 }
    }

    /// Creates an allocator; `lock` asks the system to lock a page, and returns whether it did.
    package init(lock: @escaping @Sendable (UnsafeMutableRawPointer, Int) -> Bool) {
        unsafe self.lock = lock
    }

    /// Allocates `byteCount` zero bytes, aligned to 64 bytes.
    ///
    /// The caller must release them with ``free(_:)``.
    package func allocate(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        guard byteCount > 0 else {
            return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0)
        }
        guard byteCount <= Self.pageBytes else {
            guard let piece = unsafe allocateIfThereIsRoom(byteCount: byteCount) else {
                preconditionFailure("there is no memory for \(byteCount) bytes")
            }
            return unsafe piece
        }
        let mask = Self.mask(byteCount)
        let address = pages.withLock { pages in
            for (base, page) in pages {
                guard let slot = Self.room(for: mask, in: page.used) else { continue }
                pages[base]?.used |= mask << slot
                return base + UInt(slot * Self.slotBytes)
            }
            guard let (start, isLocked) = unsafe map(Self.pageBytes) else {
                preconditionFailure("there is no memory for \(Self.pageBytes) bytes")
            }
            let base = UInt(bitPattern: start)
            pages[base] = Page(used: mask, isLocked: isLocked)
            return base
        }
        return unsafe UnsafeMutableRawBufferPointer(
            start: UnsafeMutableRawPointer(bitPattern: address),
            count: byteCount
        )
    }

    /// Allocates a piece larger than a page; `nil` if the system has no memory for it.
    func allocateIfThereIsRoom(byteCount: Int) -> UnsafeMutableRawBufferPointer? {
        guard byteCount > Self.pageBytes else { return unsafe allocate(byteCount: byteCount) }
        guard let (start, _) = unsafe map(byteCount) else { return nil }
        return unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    /// Overwrites and releases a piece.
    package func free(_ piece: UnsafeMutableRawBufferPointer) {
        guard let start = piece.baseAddress else { return }
        unsafe explicit_bzero(start, piece.count)
        guard piece.count <= Self.pageBytes else {
            _ = unsafe munmap(start, piece.count)
            return
        }
        let address = UInt(bitPattern: start)
        let (base, slot) = Self.place(of: address)
        pages.withLock { $0[base]?.used &= ~(Self.mask(piece.count) << slot) }
    }

    /// Whether the system keeps a small piece out of swap.
    package func isLocked(_ piece: UnsafeMutableRawBufferPointer) -> Bool {
        let (base, _) = Self.place(of: UInt(bitPattern: piece.baseAddress))
        return pages.withLock { $0[base]?.isLocked ?? false }
    }

    /// Bytes of small pieces in use, each rounded up to whole slots.
    package var usedBytes: Int {
        pages.withLock { $0.values.reduce(0) { $0 + $1.used.nonzeroBitCount * Self.slotBytes } }
    }

    private static func place(of address: UInt) -> (base: UInt, slot: Int) {
        let offset = address % UInt(pageBytes)
        return (address - offset, Int(offset) / slotBytes)
    }

    /// Returns a mask with as many low bits as a piece needs slots.
    private static func mask(_ byteCount: Int) -> UInt64 {
        let slots = (byteCount + slotBytes - 1) / slotBytes
        return UInt64.max >> UInt64(slotsOfPage - slots)
    }

    /// Returns the first slot from which as many consecutive slots are free as the mask has bits.
    private static func room(for mask: UInt64, in used: UInt64) -> Int? {
        (0...mask.leadingZeroBitCount).first { used & (mask << $0) == 0 }
    }

    private func map(_ byteCount: Int) -> (UnsafeMutableRawPointer, isLocked: Bool)? {
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0)
        guard let start = unsafe start, unsafe start != MAP_FAILED else { return nil }
        // Both calls are best effort; the secret is used in any case.
        _ = unsafe madvise(start, byteCount, MADV_DONTDUMP)
        let isLocked = unsafe byteCount <= Self.lockedBytesMax && lock(start, byteCount)
        return unsafe (start, isLocked)
    }
}
