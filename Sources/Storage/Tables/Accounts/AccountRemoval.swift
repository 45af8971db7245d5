package import Keys

extension WriteTransaction {
    /// Removes an account of this node, with its mail, conversations, keys, events, operations,
    /// answers, vault and the pins of its files.
    ///
    /// Its records stay, because they belong to everybody, and so do the journal of its
    /// transactions and the keys of its operations: if the account returns, a repeated call moves
    /// no money again.
    package mutating func removeAccount(_ account: Address) throws {
        try remove(AccountEntries.self, account)
        try remove(AccountEvents.self, .prefix(account))
        // First, because the operations decide which of them stay.
        for key in try keys(IdempotencyKeys.self, .prefix(account)) { try endAnswer(at: key) }
        try remove(Operations.self, .prefix(account))
        try remove(DeadlineNotices.self, .prefix(account))
        try remove(ReopeningConsents.self, .prefix(account))
        try remove(AttendanceEntries.self, .prefix(account))
        try remove(WalletEntries.self, .prefix(account))
        try remove(WalletPlaces.self, .prefix(account))
        try removeMail(of: account)
        try removeConversationRows(of: account)
        try remove(Messages.self, .prefix(account))
        try forgetConversationBytes(of: account)
        try remove(MessagesByNumber.self, .prefix(account))
        try remove(UnknownMessages.self, .prefix(account))
        try remove(ReportMessages.self, .prefix(account))
        try remove(TradeNotes.self, .prefix(account))
        try remove(PriceOfferNotes.self, .prefix(account))
        try remove(ConversationFiles.self, .prefix(account))
        try removeSubscriptions(of: account)
        try remove(Prekeys.self, .prefix(account))
        try removeDeviceMail(of: account)
        try remove(HomeLeases.self, .prefix(account))
        // It may have had a lease here before it was this node's own.
        try removeHomed(account)
        try removeVault(of: account)
        try removeDeletedConversations(of: account)
        try remove(MailRequests.self, .prefix(account))
        try remove(ReceiptsDue.self, .prefix(account))
        try remove(Contacts.self, .prefix(account))
        try remove(BlockedContacts.self, .prefix(account))
        try remove(AcceptancesDue.self, .prefix(account))
        try remove(ConversationsWith.self, .prefix(account))
        try unpinMedia(of: account)
        try removeWorks(of: account)
        try removeSettings(of: account)
    }

    /// Removes some of what an account has much of, as ``removeAccount(_:)`` does: at most
    /// ``StoreLimits/sweepEntriesMax`` entries of each kind.
    ///
    /// - Returns: Whether there was anything.
    package mutating func trimAccount(_ account: Address) throws -> Bool {
        let max = limits.sweepEntriesMax
        let events = try remove(AccountEvents.self, .prefix(account), max: max)
        let entries = try remove(WalletEntries.self, .prefix(account), max: max)
        let attendance = try remove(AttendanceEntries.self, .prefix(account), max: max)
        let notes = try remove(TradeNotes.self, .prefix(account), max: max)
        let offers = try remove(PriceOfferNotes.self, .prefix(account), max: max)
        let messages = try remove(Messages.self, .prefix(account), max: max)
        let numbers = try remove(MessagesByNumber.self, .prefix(account), max: max)
        return events + entries + attendance + notes + offers + messages + numbers > 0
    }

    private mutating func removeSettings(of account: Address) throws {
        let ending = Settings.key("", of: account)
        for key in try keys(Settings.self, .all()) where key.hasSuffix(ending) {
            try remove(Settings.self, key)
        }
    }

    private mutating func removeMail(of account: Address) throws {
        let waiting = try keys(Envelopes.self, .prefix(account))
        for (device, keys) in Dictionary(grouping: waiting, by: \.device) {
            _ = try acknowledge(keys, by: account, device: device)
        }
        for key in try keys(Outbox.self, .prefix(account)) {
            try removeOutbox(of: account, id: key.second)
        }
    }
}
