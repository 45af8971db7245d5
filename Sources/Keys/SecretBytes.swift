import Glibc

/// Bytes that must not outlive their use: private keys, seeds, passwords' derived keys.
///
/// The one place where secrets live. The memory is overwritten when the last reference goes, is
/// never copied by this type, and never printed.
@safe
package final class SecretBytes: Sendable {
    package let count: Int

    // Written only in `init`, before any reference is shared; freed only in `deinit`.
    private nonisolated(unsafe) let memory: UnsafeMutableRawBufferPointer

    /// Makes `count` bytes and lets `fill` write them.
    package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        self.count = count
        unsafe memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 0)
        try unsafe fill(memory)
    }

    /// Copies `bytes`; the caller answers for the original.
    package convenience init(copying bytes: some Collection<UInt8>) {
        unsafe self.init(count: bytes.count) { memory in
            unsafe memory.copyBytes(from: bytes)
        }
    }

    /// Bytes from the system's random source.
    package static func random(count: Int) -> SecretBytes {
        var source = SystemRandomNumberGenerator()
        return unsafe SecretBytes(count: count) { memory in
            for index in memory.indices { unsafe memory[index] = source.next() }
        }
    }

    deinit {
        if let start = unsafe memory.baseAddress { unsafe explicit_bzero(start, memory.count) }
        unsafe memory.deallocate()
    }

    /// Lends the bytes to `body`, which must not keep or copy them.
    package func withBytes<Value>(
        _ body: (UnsafeRawBufferPointer) throws -> Value
    ) rethrows -> Value {
        try unsafe body(UnsafeRawBufferPointer(memory))
    }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "secret" }
    package var debugDescription: String { "secret" }
    package var customMirror: Mirror { Mirror(self, children: [], displayStyle: .class) }
}
