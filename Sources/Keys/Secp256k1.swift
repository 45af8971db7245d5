import CSecp256k1

/// The library's context: created once, blinded against side channels, then only read.
@safe
enum Secp256k1 {
    // Never changed after its initialiser returned, so any thread may read it.
    nonisolated(unsafe) static let context: OpaquePointer = unsafe makeContext()

    private static func makeContext() -> OpaquePointer {
        let flags = UInt32(SECP256K1_FLAGS_TYPE_CONTEXT)
        guard let made = unsafe secp256k1_context_create(flags) else {
            preconditionFailure("libsecp256k1 has no memory for its context")
        }
        let seed = Bytes32.random().bytes
        let isBlinded = unsafe secp256k1_context_randomize(made, seed) == 1
        precondition(isBlinded, "libsecp256k1 cannot blind its context")
        return unsafe made
    }
}

/// Returns the start of verified bytes, as the library expects it.
func start(of bytes: UnsafeRawBufferPointer) -> UnsafePointer<UInt8> {
    guard let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        preconditionFailure("the library is given 32 bytes or more, so they lie somewhere")
    }
    return unsafe start
}

/// Returns the start of memory that the library may write.
func mutableStart(of bytes: UnsafeMutableRawBufferPointer) -> UnsafeMutablePointer<UInt8> {
    guard let start = unsafe bytes.assumingMemoryBound(to: UInt8.self).baseAddress else {
        preconditionFailure("the library is given 32 bytes or more, so they lie somewhere")
    }
    return unsafe start
}
