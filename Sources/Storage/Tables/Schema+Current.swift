extension Schema {
    /// The form that this program writes.
    ///
    /// In a shared tree a table is known by its position: a new one comes last, and none is ever
    /// removed.
    package static let current = Schema(
        number: 22,
        // Operations, events, outgoing mail and prekeys of 0.2.0 have another form.
        oldest: 22,
        trees: [
            .own(AnchoredRecords.self), .own(OpenRecords.self), .own(GivenUpRecords.self),
            .own(ForgottenRecords.self), .own(HeldRecords.self), .own(RevokedDevices.self),
            .own(HomedAccounts.self), .own(AccountEntries.self), .own(Peers.self),
            .own(AddressBans.self),
            .shared("record-indexes", recordIndexes), .shared("account-work", accountWork),
            .shared("account-mail", accountMail), .own(MediaNames.self),
            .shared("media-pins", [MediaPins.self, MediaOfAccounts.self]),
        ]
    )

    /// The tables that change with a record; the change feed last, because it grows at its end.
    private static let recordIndexes: [any Table.Type] = [
        Counters.self, RecordCounts.self, RecordShares.self, RecordSharesBySize.self,
        RecordSlots.self, RecordsByKind.self, RecordsByAuthor.self, RecordsBySubject.self,
        RecordsByExpiry.self, AnchoredByWeight.self, OpenLaneOrigins.self, OpenLaneByOrigin.self,
        GivenUpByExpiry.self, ForgottenByExpiry.self,
        HeldByTime.self, HeldByOrigin.self, HeldBySubject.self, HeldByAuthor.self,
        RevokedDevicesByTime.self, RevokedDevicesByShare.self, Changes.self,
    ]

    /// Tables of accounts' operations and events, and of chain events.
    private static let accountWork: [any Table.Type] = [
        Settings.self, ChainCheckpoints.self, NotifiedHeights.self, NotifiedSales.self,
        ChainEvents.self,
        TransactionJournalEntries.self, IdempotencyKeys.self, IdempotencyByExpiry.self,
        Operations.self,
        AccountEvents.self, DeadlineNotices.self, AttendanceEntries.self,
        CurationSubscribers.self,
        WalletEntries.self, WalletPlaces.self, VaultSegments.self,
        Works.self, SealedFiles.self, DeliveredWorks.self, ReopeningConsents.self,
    ]

    private static let accountMail: [any Table.Type] = [
        MailUsage.self, HomeLeases.self, HomedOrigins.self, MailGrants.self, Prekeys.self,
        PrekeyBundles.self, Contacts.self, BlockedContacts.self, MailRequests.self,
        ReceiptsDue.self, Conversations.self, ConversationsWith.self, DeletedConversations.self,
        DeletedConversationsByTime.self,
        ReportMessages.self,
        Envelopes.self, EnvelopesByHash.self, EnvelopesByExpiry.self, Outbox.self,
        OutboxByTime.self, Messages.self, MessagesByNumber.self, UnknownMessages.self,
        TradeNotes.self, AcceptancesDue.self, ConversationFiles.self, PriceOfferNotes.self,
    ]
}
