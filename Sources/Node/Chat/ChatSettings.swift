import Market

/// How the node's chat keeps its keys, and how often it looks around.
package struct ChatSettings: Sendable {
    package let network: String
    /// What an account's device here is called in its certificate.
    package var deviceName: String
    package var lookInterval = Duration.seconds(5)
    /// Between two collections at one home, unless a link to it opens.
    package var collectInterval = Duration.seconds(60)
    package var sweepInterval = Duration.seconds(600)
    /// Between two tries of one message; doubled at each up to the longest.
    package var retryMin = Duration.seconds(5)
    package var retryMax = Duration.seconds(600)
    /// A home that could not be reached is left alone for so long, unless it links itself.
    package var awayMax = Duration.seconds(30)
    /// One home's time to answer a question, and to hand over what waits there; what it has
    /// handed over stays.
    package var askMax = Duration.seconds(20)
    package var collectMax = Duration.seconds(120)
    /// Homes asked, or recipients written to, at one time.
    package var askedAtOnceMax = 16
    /// Linked peers that are asked for an unknown account, and how long it is not asked for again.
    package var peersSoughtMax = 8
    package var seekInterval = Duration.seconds(10)
    /// Accounts asked for in such a time.
    package var soughtMax = 1_000
    /// How long another account's keys are used before its homes are asked again.
    package var keysMax = Duration.seconds(300)

    /// When a prekey is replaced, until when it can be used, and when its private half goes.
    package var prekeyRotation = Duration.days(7)
    package var prekeyLife = Duration.days(14)
    package var lastResortRotation = Duration.days(30)
    package var lastResortLife = Duration.days(90)
    package var privateHalfLife = Duration.days(30)
    /// Records of the open lane are forgotten in a week, hence are made anew before.
    package var recordRenewal = Duration.days(3)

    /// Conversations of one account, its request box aside, and of these with one other account.
    package var conversationsMax = 5_000
    package var conversationsWithOneMax = 250
    /// How many messages in the request box are told as events in such a time; the box shows all.
    package var requestEventsMax = 32
    package var requestEventsInterval = Duration.seconds(3_600)
    /// Mail for which there is no room waits so long until it is looked at again.
    package var postponement = Duration.seconds(600)
    /// How often a home is told of the grants, though nothing has changed.
    package var grantsInterval = Duration.days(1)
    /// How long a home that refused them, for another reason than their number, is not told again.
    package var refusalMax = Duration.seconds(60)
    /// Between two reports to an account of what was dropped.
    package var dropReportInterval = Duration.seconds(600)
    /// Messages handled in one look.
    package var batchMax = 256
    /// Senders to be asked for in one look.
    package var strangersMax = 256
    /// How often others are asked for the sender of an envelope until it is dropped.
    package var searchesMax = 8

    package init(network: String, deviceName: String) {
        (self.network, self.deviceName) = (network, deviceName)
    }
}

/// How many conversations an account may have, its request box aside.
struct ConversationCapacity: Sendable {
    /// What may be full.
    enum Bound: Hashable, Sendable { case all, withOne }

    let max: Int
    /// With one other account.
    let withOneMax: Int

    init(_ settings: ChatSettings) {
        (max, withOneMax) = (settings.conversationsMax, settings.conversationsWithOneMax)
    }
}
