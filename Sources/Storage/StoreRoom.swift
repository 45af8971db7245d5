package import Texts

/// How much room a store has.
package struct StoreRoom: Equatable, Sendable {
    /// The maximum size of the data file.
    package let mapBytes: Int
    /// The data file, with its free pages.
    package let fileBytes: Int
    /// The data file without its free pages.
    package let usedBytes: Int
    private let reservedBytes: Int
    /// Why the last write found no room; `nil` if a later one did.
    private let failure: StorageError?

    init(
        mapBytes: Int,
        fileBytes: Int,
        freeBytesWithin: Int,
        reservedBytes: Int,
        failure: StorageError? = nil
    ) {
        (self.mapBytes, self.fileBytes, self.reservedBytes) = (mapBytes, fileBytes, reservedBytes)
        self.failure = failure
        usedBytes = max(0, fileBytes - freeBytesWithin)
    }

    package var freeBytes: Int { max(0, mapBytes - usedBytes) }

    /// Whether what adds to the store is refused.
    package var isFull: Bool { lack != nil }

    /// Why what adds to the store is refused; `nil` if it is not.
    package var lack: StorageError? { failure ?? (lacksReserve ? .mapFull(.begin) : nil) }

    /// Whether only the reserve is left, and not all of it.
    var lacksReserve: Bool { freeBytes < reservedBytes }

    /// Whether the person who runs the node should do something about it.
    package var isScarce: Bool { freeBytes < Self.scarceBytes(reservedBytes) }

    /// The problem and its remedy; `nil` if there is none.
    package var warning: Sentence? {
        if let failure, !lacksReserve {
            return Sentence("store.notWritten", ["reason": failure.term])
        }
        guard isScarce else { return nil }
        return Sentence(
            lacksReserve ? "store.full" : "store.nearlyFull",
            [
                "size": "\(mapBytes >> 20)", "free": "\(freeBytes >> 20)",
                "reserved": "\(reservedBytes >> 20)",
            ]
        )
    }

    /// With less than this free, room is scarce: five times the reserve.
    static func scarceBytes(_ reservedBytes: Int) -> Int { 5 * reservedBytes }
}
