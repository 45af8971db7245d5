package import Market

/// Decides when prekeys of a device are made and deleted, and which of them its bundle has.
///
/// Laws:
/// - A prekey of each kind is due if there is none, or if the newest is as old as its rotation.
/// - A private half is deleted `privateHalfLife` after the end of its key, not before.
/// - A bundle has the newest prekey of each kind.
package struct PrekeySchedule: Sendable {
    /// A prekey, without its private half.
    package struct Key: Equatable, Sendable {
        package let id: UInt32
        package let madeAt: Timestamp
        package let validUntil: Timestamp
        package let isLastResort: Bool

        package init(id: UInt32, madeAt: Timestamp, validUntil: Timestamp, isLastResort: Bool) {
            (self.id, self.madeAt) = (id, madeAt)
            (self.validUntil, self.isLastResort) = (validUntil, isLastResort)
        }
    }

    private let settings: ChatSettings

    package init(_ settings: ChatSettings) {
        self.settings = settings
    }

    /// Returns the kinds of prekeys to make now: `true` is the last resort.
    package func due(after held: [Key], at now: Timestamp) -> [Bool] {
        [false, true].filter { isLastResort in
            let rotation = isLastResort ? settings.lastResortRotation : settings.prekeyRotation
            let newest = newest(of: held, isLastResort: isLastResort)
            return newest.map { $0.madeAt.advanced(by: rotation) <= now } ?? true
        }
    }

    /// Returns the end of a prekey that is made now.
    package func end(isLastResort: Bool, at now: Timestamp) -> Timestamp {
        now.advanced(by: isLastResort ? settings.lastResortLife : settings.prekeyLife)
    }

    /// Returns the prekeys whose private half is deleted now.
    package func expired(of held: [Key], at now: Timestamp) -> [Key] {
        held.filter { $0.validUntil.advanced(by: settings.privateHalfLife) <= now }
    }

    /// Returns the prekeys of the bundle, the current one first.
    package func bundled(of held: [Key]) -> [Key] {
        [false, true].compactMap { newest(of: held, isLastResort: $0) }
    }

    private func newest(of held: [Key], isLastResort: Bool) -> Key? {
        held.filter { $0.isLastResort == isLastResort }.max { $0.madeAt < $1.madeAt }
    }
}
