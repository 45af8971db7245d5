extension Schema {
    /// What this program writes.
    package static let current = Schema(
        number: 7,
        oldest: 7,
        tables: [
            Changes.self, Counters.self, Settings.self,
            AnchoredRecords.self, OpenRecords.self, RecordSlots.self, RecordsByKind.self,
            RecordsByAuthor.self, RecordCounts.self, RecordsBySubject.self, RecordsByExpiry.self,
            AnchoredByWeight.self, GivenUpRecords.self, GivenUpByExpiry.self,
            RecordShares.self, RecordSharesBySize.self, OpenLaneOrigins.self,
            OpenLaneByOrigin.self, ForgottenRecords.self, ForgottenByExpiry.self,
            HeldRecords.self, HeldByTime.self, HeldByOrigin.self, HeldBySubject.self,
            HeldByAuthor.self,
            Envelopes.self, EnvelopesByHash.self, EnvelopesByExpiry.self, MailUsage.self,
            Outbox.self, OutboxByTime.self, Conversations.self, Messages.self,
            MessagesByNumber.self, Prekeys.self, PrekeyBundles.self, HomeLeases.self,
            MailGrants.self, HomedAccounts.self, HomedOrigins.self,
            MailRequests.self, Contacts.self, BlockedContacts.self,
            ConversationsWith.self, ReceiptsDue.self, DeletedConversations.self,
            DeletedConversationsByTime.self,
            RevokedDevices.self, RevokedDevicesByTime.self, RevokedDevicesByShare.self,
            ChainEvents.self, ChainCheckpoints.self,
            NotifiedHeights.self, NotifiedSales.self, TransactionJournalEntries.self,
            AccountEntries.self, AccountEvents.self, Operations.self, IdempotencyKeys.self,
            IdempotencyByExpiry.self, Peers.self,
        ]
    )
}
