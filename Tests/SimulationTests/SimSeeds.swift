import Foundation

/// Which seeds a run plays, as `Scripts/simulate` was told.
enum SimSeeds {
    /// The one that is named, or as many as are wanted, else as many as the suite has time for.
    static func range(standard: UInt64) -> Range<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        if let named = environment["STOA_SEED"].flatMap({ UInt64($0) }) { return named..<named + 1 }
        return 0..<(environment["STOA_SEEDS"].flatMap { UInt64($0) } ?? standard)
    }
}
