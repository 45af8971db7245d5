import Market

/// Settings of the node's chat: intervals, key lifetimes and limits.
package struct ChatSettings: Sendable {
    package let network: String
    /// The name of an account's device on this node, in its certificate.
    package var deviceName: String
    package var pollInterval = Duration.seconds(5)
    /// Time between two collections at one home, unless a link to it opens.
    package var collectInterval = Duration.seconds(60)
    package var sweepInterval = Duration.seconds(600)
    /// Time between two attempts to send one message; doubles each time, up to `retryMax`.
    package var retryMin = Duration.seconds(5)
    package var retryMax = Duration.seconds(600)
    /// An attempt to send one recipient's mail that takes longer is slow, and goes on in its next
    /// turn.
    package var slowAttempt = Duration.seconds(2)
    /// How long a home that could not be reached is left alone, unless it opens a link itself.
    package var unreachableInterval = Duration.seconds(30)
    /// How long one home has to answer a question, and to hand over the mail that waits there.
    ///
    /// Mail that it has handed over by then is kept.
    package var requestTimeMax = Duration.seconds(20)
    package var collectionTimeMax = Duration.seconds(120)
    /// Homes that are asked, or recipients that are written to, at one time.
    package var concurrentMax = 16
    /// Linked peers that are asked for an unknown account, and the time until it is looked up
    /// again.
    package var lookupPeersMax = 8
    package var lookupInterval = Duration.seconds(10)
    /// Accounts that are looked up within `lookupInterval`.
    package var lookupsMax = 1_000
    /// Of these, accounts for which one peer is asked; a peer answers 160 questions in that time.
    package var lookupsPerPeerMax = 40
    /// How long another account's prekey bundles are used before its homes are asked again.
    package var bundleCacheTime = Duration.seconds(300)

    /// When a prekey is replaced, its lifetime, and how long its private half is kept after that.
    package var prekeyRotation = Duration.days(7)
    package var prekeyLife = Duration.days(14)
    package var lastResortRotation = Duration.days(30)
    package var lastResortLife = Duration.days(90)
    package var privateHalfLife = Duration.days(30)
    /// The age at which a record of the open lane is published again; it is forgotten after a week.
    package var recordRenewal = Duration.days(3)

    /// How long the profile of an account restored from its key is searched for once a peer has
    /// answered, and while none has.
    package var recoveryPatience = Duration.seconds(300)
    package var recoveryAlone = Duration.seconds(3_600)

    /// How long a home is not asked again for missing parts of a vault's logs.
    package var vaultGapInterval = Duration.seconds(600)

    /// Conversations of one account without its request box, and of these with one other account.
    package var conversationsMax = 5_000
    package var conversationsWithOneMax = 250
    /// Request-box messages that are reported as events per interval; the box shows all.
    package var requestEventsMax = 32
    package var requestEventsInterval = Duration.seconds(3_600)
    /// How long mail without room for its conversation waits until it is opened again.
    package var noRoomInterval = Duration.seconds(600)
    /// The shortest lease that is taken, and the time between two renewals of one.
    package var leaseMin = Duration.seconds(12 * 3_600)
    package var leaseRenewalInterval = Duration.seconds(6 * 3_600)
    /// How often the grants are sent to a home although nothing has changed.
    package var grantsInterval = Duration.days(1)
    /// How long until the grants are sent again to a home that refused them, but not for their
    /// number.
    package var grantsRetryInterval = Duration.seconds(60)
    /// The time between two writes of an account's read marks to its vault.
    package var readMarksInterval = Duration.seconds(30)
    /// Time between two reports of dropped mail to an account.
    package var dropReportInterval = Duration.seconds(600)
    /// Messages that are handled in one pass, and of these from one account to one recipient.
    package var batchMax = 256
    package var recipientBatchMax = 32
    /// Time between two log entries on a recipient whose mail cannot be sent for the same reason.
    package var failureLogInterval = Duration.seconds(3_600)
    /// Unknown senders that are looked up in one pass.
    package var unknownSendersMax = 256
    /// Answered lookups of the sender of an envelope before it is dropped.
    package var senderLookupsMax = 8

    package init(network: String, deviceName: String) {
        (self.network, self.deviceName) = (network, deviceName)
    }
}

/// How many conversations an account can have, without its request box.
struct ConversationCapacity: Sendable {
    /// A limit that can be reached.
    enum Bound: Hashable, Sendable { case all, withOne }

    let max: Int
    /// With one other account.
    let withOneMax: Int

    init(_ settings: ChatSettings) {
        (max, withOneMax) = (settings.conversationsMax, settings.conversationsWithOneMax)
    }
}
