import Market

/// All limits of the store.
package struct StoreLimits: Sendable {
    /// Writes that may wait for the writer; further callers wait to enter the queue.
    package var queuedWritesMax = 4_096
    /// Writes that share one commit and its `fsync`.
    package var groupWritesMax = 1_024
    /// Bytes of the store that are kept for deletions, for moves of sales, and for changes of
    /// stored mail: additions to the store are refused while less is free.
    package var reservedBytes = 0
    /// Writes that share a commit while that is near, so that they do not use it up together.
    package var scarceGroupWritesMax = 16
    /// Expired entries that one sweep removes of each kind while room is short: a transaction
    /// copies the pages that it changes before it frees any.
    package var scarceSweepEntriesMax = 64
    /// Changes kept for followers; one that is further behind rebuilds itself.
    package var changesMax: UInt64 = 1_000_000

    /// The maximum size of the open lane, in bytes of records.
    package var openLaneBytesMax = 256 << 20
    package var openLaneLifetime = Duration.days(7)
    /// How long a record must have been in the open lane for a repeated copy to renew it.
    package var openLaneRenewal = Duration.days(3)
    /// The maximum weight of the anchored lane, in bytes.
    package var anchoredLaneBytesMax = 16 << 30
    /// The number of records remembered that the lane had no room for.
    package var givenUpRecordsMax = 4 << 20
    /// Ids remembered as not wanted.
    package var forgottenRecordsMax = 200_000
    /// The room for records held until the chain shows more, in slots of 4 KiB; a record takes
    /// whole slots.
    package var heldPlacesMax = 4_096
    /// Those of one author.
    package var heldPlacesOfAuthorMax = 256
    package let heldPlaceBytes = 4_096
    package var heldRecordLifetime = Duration.days(1)
    /// Expired entries that one sweep removes of each kind.
    package var sweepEntriesMax = 1_000

    /// Mail under grants that waits for one recipient.
    package var recipientEnvelopesMax: UInt64 = 10_000
    package var recipientBytesMax: UInt64 = 64 << 20
    /// Strangers' mail from one origin for all recipients.
    package var depositorEnvelopesMax: UInt64 = 2_000
    package var depositorBytesMax: UInt64 = 16 << 20
    /// Strangers' mail that waits for one recipient, and of that from one origin.
    package var strangersEnvelopesMax: UInt64 = 256
    package var strangersBytesMax: UInt64 = 2 << 20
    package var originEnvelopesMax: UInt64 = 32
    package var originBytesMax: UInt64 = 256 << 10
    /// How long strangers' mail is kept, whatever expiry it names.
    package var strangersLifetime = Duration.days(7)
    /// All mail under grants, and all mail of strangers; how each is shared is ``MailBudget``'s.
    package var contactsBytesMax: UInt64 = 8 << 30
    package var allStrangersBytesMax: UInt64 = 2 << 30
    /// Local accounts, and guests whose mail is stored here.
    package var accountsMax = 1_000
    package var homedAccountsMax = 10_000
    /// Ended grants that an account's devices may name to a home, in all.
    package var endedGrantsMax = 256
    /// Guests for which one origin may have leases.
    package var leasesPerOriginMax: UInt32 = 64
    /// The maximum size of one guest's vault, and of all guests' vaults together.
    package var guestVaultBytesMax = 4 << 20
    package var guestVaultsBytesMax = 1 << 30
    /// Bytes of profile and devices stored for one guest beyond the open lane's budget.
    package var homedAccountBytesMax = 8_192
    /// Devices remembered as revoked after their records have gone.
    package var revokedDevicesMax = 100_000
    /// Conversations, and bytes of text, in the request box of one of this node's accounts.
    package var requestsMax = 1_024
    package var requestBytesMax: UInt64 = 8 << 20
    /// The maximum bytes of one account's conversations and outbox, and of those of all accounts,
    /// which ``ConversationRoom`` shares out.
    package var conversationBytesMax: UInt64 = 8 << 30
    package var allConversationBytesMax: UInt64 = 32 << 30

    /// Peers in the address book; the least useful go first.
    package var peersMax = 10_000
    package var eventLifetime = Duration.days(7)
    /// Events kept for one account, however young.
    package var accountEventsMax = 100_000
    /// The bytes of all accounts' events, which they share equally; and those of one event, which
    /// has a few ids and words.
    package var allEventBytesMax = 1 << 30
    package let eventBytes = 1_024
    /// Movements of money kept for one account.
    package var walletEntriesMax = 10_000
    /// How long the answer of a keyed call that begins no operation is kept.
    package var idempotencyKeyLifetime = Duration.days(1)

    package init() {}

    /// The limits of a store that may grow to `mapBytes`, of which the lanes and the mail get parts
    /// as their budgets, so that strangers' data never fills it.
    ///
    /// Anchored records take at most about twice their weight, with their indexes and free pages,
    /// and short open ones five times their bytes; mail and conversations count what they take.
    /// Without conversations it is at most nine tenths of the store, and they are at most half. If
    /// both come together, the reserve still has room for what is needed to end sales and to
    /// delete.
    package init(
        mapBytes: Int,
        openLaneBytesMax: Int,
        conversationBytesMax: Int = .max
    ) {
        reservedBytes = min(Self.reservedBytesMax, mapBytes / 50)
        self.conversationBytesMax = UInt64(min(conversationBytesMax, mapBytes / 8))
        allConversationBytesMax = UInt64(mapBytes / 2)
        self.openLaneBytesMax = min(openLaneBytesMax, mapBytes / 32)
        anchoredLaneBytesMax = mapBytes / 4
        givenUpRecordsMax = anchoredLaneBytesMax / Self.bytesPerGivenUpRecord
        allEventBytesMax = min(allEventBytesMax, mapBytes / 32)
        contactsBytesMax = UInt64(mapBytes / 8)
        allStrangersBytesMax = UInt64(mapBytes / 32)
        guestVaultsBytesMax = min(guestVaultsBytesMax, mapBytes / 64)
        homedAccountsMax = min(homedAccountsMax, mapBytes / Self.mapBytesPerLease)
    }

    private static let reservedBytesMax = 256 << 20

    /// The anchored lane remembers as many removed records as it has room for records of 4 KiB.
    private static let bytesPerGivenUpRecord = 4_096

    /// Bytes of the store reserved for each guest's lease, not counting mail.
    ///
    /// Profile, devices, prekeys and grants use a twentieth of this.
    private static let mapBytesPerLease = 4 << 20
}
