// Written by Scripts/types from the node's OpenAPI document. Do not edit it.

export interface Account {
  /** In EIP-55 form. */
  readonly address: string;
  readonly createdAt: string;
  /** Whether a session holds its key in memory now. */
  readonly isUnlocked: boolean;
  readonly name: string;
  readonly signsElsewhere?: boolean | null;
  /** The moves that the node makes for it while nobody is signed in; null for none. */
  readonly unattended?: UnattendedMoves | null;
}

export interface AccountCreation {
  readonly name: string;
  readonly password: string;
  /** The recovery phrase, words separated by blanks. */
  readonly phrase?: string | null;
}

export interface AccountImport {
  readonly keystore?: string | null;
  readonly keystorePassword?: string | null;
  readonly name: string;
  readonly password: string;
  readonly privateKey?: string | null;
}

export interface AccountName {
  readonly account: string;
  readonly isHere: boolean;
  readonly isNamedByCaller?: boolean | null;
  readonly name: string;
}

export interface AccountProfile {
  readonly about: string;
  readonly account: string;
  readonly avatar?: ListingMedia | null;
  readonly name: string;
  readonly publishedAt: string;
  readonly region: string;
}

export interface AccountRemoval {
  /** Remove it although it has open sales or operations. */
  readonly acceptsLosses?: boolean | null;
  readonly password: string;
  /** Withdraw its public profile; without it, only one that names no other home. */
  readonly withdrawsProfile?: boolean | null;
}

export interface ActionPreview {
  readonly action: "list" | "edit" | "withdraw" | "collect" | "send" | "arbitrate" | "review" | "publish_list" | "speed_up" | "cancel" | "give" | "offer_price" | "bid" | "abort" | "end" | "pay" | "enrol" | "leave" | "begin" | "cancel" | "refund" | "evaluate" | "settle" | "repeat" | "buy" | "decline" | "relist" | "transfer" | "confirm" | "dispute" | "claim" | "propose" | "withdraw_proposal" | "agree" | "take" | "rule" | "execute_default";
  readonly arbiter?: ActionPreviewArbiter | null;
  /** What the account has now. */
  readonly balances: readonly Money[];
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly comesBack: readonly ActionPreviewIncoming[];
  readonly deadline?: SaleDeadline | null;
  readonly explanation: readonly Sentence[];
  /** The maximum of all fees together, in wei. */
  readonly feeMax?: string | null;
  readonly gas?: number | null;
  /** The maximum price of one unit of gas, in wei. */
  readonly gasPrice?: string | null;
  readonly leaves: readonly ActionPreviewOutgoing[];
  /** The obstacles to the call: the problems that it would end with. */
  readonly problems: readonly Problem[];
  readonly receiver?: ActionPreviewReceiver | null;
  /** Whether no second endpoint answers; see 'acceptsOneSource'. */
  readonly restsOnOneSource: boolean;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  readonly sale?: ActionPreviewPreviewedSale | null;
  readonly subject?: string | null;
  readonly summary: readonly Sentence[];
  /** The maximum that leaves the account, in each currency. */
  readonly total: readonly Money[];
  /** What to consider. */
  readonly warnings: readonly Sentence[];
}

export interface ActionPreviewArbiter {
  readonly account: string;
  readonly fee: Money;
}

export interface ActionPreviewIncoming {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  /** From when no other party is needed for it, on the chain's clock; none if it comes at once or depends on what another party does. */
  readonly from?: string | null;
  /** When it returns. */
  readonly when: Sentence;
}

export interface ActionPreviewOutgoing {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  /** The purpose of the amount. */
  readonly purpose: "price" | "bid" | "deposit" | "amount" | "fee";
}

export interface ActionPreviewParty {
  readonly account: string;
  readonly role: "seller" | "buyer";
}

export interface ActionPreviewPreviewedSale {
  readonly id: string;
  readonly others: readonly ActionPreviewParty[];
  readonly title?: string | null;
}

export interface ActionPreviewReceiver {
  readonly account: string;
  readonly isHere: boolean;
  readonly isNamedByCaller?: boolean | null;
  readonly name?: string | null;
}

export interface AddedMedia {
  readonly id: string;
  /** Whether a published record of the account names it. */
  readonly isNamed: boolean;
  /** In bytes. */
  readonly length: number;
  /** Omitted if the node has lost the file. */
  readonly type?: "image/jpeg" | "image/png" | "image/webp" | "application/pdf" | null;
}

export interface AddressDisclosure {
  readonly text?: string | null;
}

export interface Arbitration {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  /** The lowest fee of a dispute. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly feeMin: string;
  /** Until when offers that name the account can last, in seconds since 1970 on the chain's clock; 0 ends the registration. */
  readonly until: number;
}

export interface ArbitrationInput {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  /** The lowest fee of a dispute. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly feeMin: string;
  /** Until when offers that name the account can last, in seconds since 1970 on the chain's clock; 0 ends the registration. */
  readonly until: number;
}

export interface Attendance {
  readonly account: string;
  readonly enrolledAt?: string | null;
  readonly name?: string | null;
  readonly note?: string | null;
  /** The number of the round, from 0. */
  readonly round: number;
  readonly sessions: readonly number[];
  readonly state?: string | null;
}

export interface AttendanceMarks {
  readonly absent?: readonly string[] | null;
  readonly notes?: readonly AttendanceMarksNote[] | null;
  readonly present?: readonly string[] | null;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  readonly session?: number | null;
}

export interface AttendanceMarksNote {
  readonly account: string;
  readonly text: string;
}

export interface AuctionTerms {
  /** How long people can bid, in seconds. */
  readonly durationSeconds?: number | null;
  /** The time left to others after a late bid, in seconds. */
  readonly extensionSeconds?: number | null;
  /** How much higher each later bid must be, in basis points (500 is 5 %). */
  readonly minIncrement?: number | null;
}

export interface AuctionTermsInput {
  /** How long people can bid, in seconds. */
  readonly durationSeconds?: number | null;
  /** The time left to others after a late bid, in seconds. */
  readonly extensionSeconds?: number | null;
  /** How much higher each later bid must be, in basis points (500 is 5 %). */
  readonly minIncrement?: number | null;
}

export interface BlockRequest {
  readonly account: string;
}

export interface BlockedAccount {
  readonly account: string;
  readonly since: string;
}

export interface Cart {
  readonly lines: readonly SavedListing[];
  /** The total of the lines that can be bought, without deposits and fees. */
  readonly totals: readonly CartTotal[];
}

export interface CartQuantity {
  /** 1, or 0 to remove it; a listing is a single item, so more is refused. */
  readonly quantity: number;
}

export interface CartTotal {
  readonly amount: Money;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  /** How many lines are counted. */
  readonly listings: number;
}

export interface ChainStatus {
  /** The arbiters that the market's file offers to sellers. */
  readonly arbiters: readonly ChainStatusArbiter[];
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  /** How many blocks make an event final. */
  readonly confirmations?: number | null;
  /** How many endpoints confirm the shown state of the chain. */
  readonly confirmedBy: number;
  readonly contracts: readonly ChainStatusContract[];
  /** In words. */
  readonly detail?: string | null;
  /** The page of a transaction, with {transaction} instead of its hash. */
  readonly explorer?: string | null;
  /** How the fees of transactions are stated on this chain. */
  readonly fees?: "1559" | "legacy" | null;
  readonly head?: number | null;
  readonly headTime?: string | null;
  readonly health: string;
  readonly item: string;
  readonly native?: CurrencyUnit | null;
  /** The same in sentences. */
  readonly reason?: readonly Sentence[] | null;
  /** What to consider. */
  readonly warnings: readonly Sentence[];
}

export interface ChainStatusArbiter {
  readonly account: string;
  readonly name?: string | null;
}

export interface ChainStatusContract {
  readonly address: string;
  readonly kind: string;
}

export interface Contact {
  readonly account: string;
  readonly isBlocked: boolean;
  readonly name: string;
  readonly profileName?: string | null;
  readonly since: string;
}

export interface ContactName {
  readonly name: string;
}

export interface Conversation {
  readonly id: string;
  /** Whether a stranger began it and the account has not answered or accepted it. */
  readonly isRequest: boolean;
  readonly lastMessage?: Message | null;
  readonly listing?: string | null;
  /** The first picture of that listing. */
  readonly picture?: ListingMedia | null;
  /** The name and picture in the other side's profile. */
  readonly profile?: ProfileSummary | null;
  readonly title?: string | null;
  /** How many messages are unread. */
  readonly unread: number;
  readonly with: string;
}

export interface ConversationOpening {
  readonly listing?: string | null;
  readonly with: string;
}

export interface CourseTerms {
  /** How long after its start the round can begin, in seconds. */
  readonly beginSeconds?: number | null;
  readonly endsAt: number;
  /** How long after its end the round can be rated, in seconds. */
  readonly ratingSeconds?: number | null;
  readonly seats: number;
  /** In seconds since 1970 on the chain's clock. */
  readonly startsAt: number;
}

export interface CourseTermsInput {
  /** How long after its start the round can begin, in seconds. */
  readonly beginSeconds?: number | null;
  readonly endsAt: number;
  /** How long after its end the round can be rated, in seconds. */
  readonly ratingSeconds?: number | null;
  readonly seats: number;
  /** In seconds since 1970 on the chain's clock. */
  readonly startsAt: number;
}

export interface CreatedAccount {
  readonly account: Account;
  /** The recovery phrase, words separated by blanks. */
  readonly phrase?: string | null;
}

export interface CreditCollection {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount?: string | null;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency?: string | null;
  readonly to?: string | null;
}

export interface Curation {
  readonly about: string;
  readonly author: string;
  readonly createdAt: string;
  readonly entries: readonly CurationEntry[];
  readonly id: string;
  /** Whether the signed-in account follows it. */
  readonly isFollowed: boolean;
  readonly name: string;
}

export interface CurationDraft {
  readonly about?: string | null;
  readonly entries: readonly CurationEntryInput[];
  readonly name: string;
}

export interface CurationEntry {
  readonly account?: string | null;
  readonly listing?: string | null;
  readonly reason: string;
}

export interface CurationEntryInput {
  readonly account?: string | null;
  readonly listing?: string | null;
  readonly reason: string;
}

export interface CurrencyUnit {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  readonly decimals?: number | null;
  readonly name?: string | null;
  readonly symbol?: string | null;
}

export interface CurrentSession {
  /** The signed-in account; null for the operator's session on a page. */
  readonly account?: Account | null;
  /** Until when a page's session moves money without the password; null if it needs the password now, and for a program's session, which never does. */
  readonly confirmedUntil?: string | null;
  /** When the session ends in any case. */
  readonly expiresAt: string;
  /** When the session ends if it is not used; this call is no use. */
  readonly idleUntil: string;
}

export interface CurriculumSession {
  readonly content: string;
  /** One line. */
  readonly title: string;
}

export interface CurriculumSessionInput {
  readonly content: string;
  /** One line. */
  readonly title: string;
}

export interface DeliveryAddress {
  readonly place?: string | null;
  readonly point?: GeographicPoint | null;
  readonly text?: string | null;
}

export interface DeliveryAddressInput {
  readonly place?: string | null;
  readonly point?: GeographicPointInput | null;
  readonly text?: string | null;
}

export interface Device {
  readonly id: string;
  readonly isThisNode: boolean;
  readonly name: string;
  readonly since: string;
}

export interface DirectSaleTerms {
  /** The only account that can buy it. */
  readonly buyer?: string | null;
  /** When the offer ends, in seconds since 1970 on the chain's clock. */
  readonly offerUntil?: number | null;
}

export interface DirectSaleTermsInput {
  /** The only account that can buy it. */
  readonly buyer?: string | null;
  /** When the offer ends, in seconds since 1970 on the chain's clock. */
  readonly offerUntil?: number | null;
}

export interface Draft {
  readonly changedAt: string;
  readonly content: {
    readonly auction?: {
      /** How long people can bid, in seconds. */
      readonly durationSeconds?: number | null;
      /** The time left to others after a late bid, in seconds. */
      readonly extensionSeconds?: number | null;
      /** How much higher each later bid must be, in basis points (500 is 5 %). */
      readonly minIncrement?: number | null;
    } | null;
    /** Lower-case letters, digits and hyphens. */
    readonly category: string;
    /** The id of the chain; in a request it can be left out if the node follows only one. */
    readonly chain?: number | null;
    readonly course?: {
      /** How long after its start the round can begin, in seconds. */
      readonly beginSeconds?: number | null;
      readonly endsAt: number;
      /** How long after its end the round can be rated, in seconds. */
      readonly ratingSeconds?: number | null;
      readonly seats: number;
      /** In seconds since 1970 on the chain's clock. */
      readonly startsAt: number;
    } | null;
    readonly curriculum?: readonly ({
      readonly content: string;
      /** One line. */
      readonly title: string;
    })[] | null;
    readonly delivery: string;
    readonly description: string;
    readonly direct?: {
      /** The only account that can buy it. */
      readonly buyer?: string | null;
      /** When the offer ends, in seconds since 1970 on the chain's clock. */
      readonly offerUntil?: number | null;
    } | null;
    /** What distinguishes the item from all others, such as a serial number. */
    readonly identifier: string;
    /** The number of the seller's token to resell. */
    readonly item?: string | null;
    /** Files that were added, in the order shown; an edit without it keeps them. */
    readonly media?: readonly ({
      readonly id: string;
      /** In bytes. */
      readonly length?: number | null;
      readonly type?: string | null;
    })[] | null;
    /** How it is sold. */
    readonly payment: string;
    readonly pickupPlace?: string | null;
    /** How many pieces a new listing offers, each in a sale of its own. */
    readonly pieces?: number | null;
    /** The price as listed. */
    readonly price: {
      /** In the currency's smallest unit (wei for 'native'), in decimal. */
      readonly amount: string;
      /** 'native' for the chain's own money, or a token's address. */
      readonly currency: string;
    };
    /** Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities ('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance. */
    readonly shipsTo: readonly string[];
    readonly shipsWithin?: {
      /** It ships to less than this distance, in metres on the great circle. */
      readonly metres: number;
      readonly place: string;
      readonly point: {
        /** In degrees of WGS 84, north positive. */
        readonly latitude: number;
        /** In degrees of WGS 84, east positive. */
        readonly longitude: number;
      };
    } | null;
    readonly tags: readonly string[];
    readonly terms?: {
      readonly arbiter?: string | null;
      /** In the currency's smallest unit (wei for 'native'), in decimal. */
      readonly arbiterFee?: string | null;
      /** The only account that can buy it. */
      readonly buyer?: string | null;
      /** In the currency's smallest unit (wei for 'native'), in decimal. */
      readonly buyerDeposit?: string | null;
      /** How long the buyer has to confirm or dispute, in seconds. */
      readonly confirmSeconds?: number | null;
      /** In the currency's smallest unit (wei for 'native'), in decimal. */
      readonly latePenalty?: string | null;
      /** When the offer ends, in seconds since 1970 on the chain's clock. */
      readonly offerUntil?: number | null;
      /** How long a dispute can be settled or ruled, in seconds. */
      readonly rulingSeconds?: number | null;
      /** In the currency's smallest unit (wei for 'native'), in decimal. */
      readonly sellerDeposit?: string | null;
      /** How long the seller has to hand over, in seconds. */
      readonly shipSeconds?: number | null;
    } | null;
    /** One line. */
    readonly title: string;
    readonly type: string;
  };
  readonly name: string;
}

export interface DraftContent {
  readonly auction?: {
    /** How long people can bid, in seconds. */
    readonly durationSeconds?: number | null;
    /** The time left to others after a late bid, in seconds. */
    readonly extensionSeconds?: number | null;
    /** How much higher each later bid must be, in basis points (500 is 5 %). */
    readonly minIncrement?: number | null;
  } | null;
  /** Lower-case letters, digits and hyphens. */
  readonly category: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly course?: {
    /** How long after its start the round can begin, in seconds. */
    readonly beginSeconds?: number | null;
    readonly endsAt: number;
    /** How long after its end the round can be rated, in seconds. */
    readonly ratingSeconds?: number | null;
    readonly seats: number;
    /** In seconds since 1970 on the chain's clock. */
    readonly startsAt: number;
  } | null;
  readonly curriculum?: readonly ({
    readonly content: string;
    /** One line. */
    readonly title: string;
  })[] | null;
  readonly delivery: string;
  readonly description: string;
  readonly direct?: {
    /** The only account that can buy it. */
    readonly buyer?: string | null;
    /** When the offer ends, in seconds since 1970 on the chain's clock. */
    readonly offerUntil?: number | null;
  } | null;
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  /** The number of the seller's token to resell. */
  readonly item?: string | null;
  /** Files that were added, in the order shown; an edit without it keeps them. */
  readonly media?: readonly ({
    readonly id: string;
    /** In bytes. */
    readonly length?: number | null;
    readonly type?: string | null;
  })[] | null;
  /** How it is sold. */
  readonly payment: string;
  readonly pickupPlace?: string | null;
  /** How many pieces a new listing offers, each in a sale of its own. */
  readonly pieces?: number | null;
  /** The price as listed. */
  readonly price: {
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly amount: string;
    /** 'native' for the chain's own money, or a token's address. */
    readonly currency: string;
  };
  /** Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities ('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance. */
  readonly shipsTo: readonly string[];
  readonly shipsWithin?: {
    /** It ships to less than this distance, in metres on the great circle. */
    readonly metres: number;
    readonly place: string;
    readonly point: {
      /** In degrees of WGS 84, north positive. */
      readonly latitude: number;
      /** In degrees of WGS 84, east positive. */
      readonly longitude: number;
    };
  } | null;
  readonly tags: readonly string[];
  readonly terms?: {
    readonly arbiter?: string | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly arbiterFee?: string | null;
    /** The only account that can buy it. */
    readonly buyer?: string | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly buyerDeposit?: string | null;
    /** How long the buyer has to confirm or dispute, in seconds. */
    readonly confirmSeconds?: number | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly latePenalty?: string | null;
    /** When the offer ends, in seconds since 1970 on the chain's clock. */
    readonly offerUntil?: number | null;
    /** How long a dispute can be settled or ruled, in seconds. */
    readonly rulingSeconds?: number | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly sellerDeposit?: string | null;
    /** How long the seller has to hand over, in seconds. */
    readonly shipSeconds?: number | null;
  } | null;
  /** One line. */
  readonly title: string;
  readonly type: string;
}

export interface DraftContentInput {
  readonly auction?: {
    /** How long people can bid, in seconds. */
    readonly durationSeconds?: number | null;
    /** The time left to others after a late bid, in seconds. */
    readonly extensionSeconds?: number | null;
    /** How much higher each later bid must be, in basis points (500 is 5 %). */
    readonly minIncrement?: number | null;
  } | null;
  /** Lower-case letters, digits and hyphens. */
  readonly category: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly course?: {
    /** How long after its start the round can begin, in seconds. */
    readonly beginSeconds?: number | null;
    readonly endsAt: number;
    /** How long after its end the round can be rated, in seconds. */
    readonly ratingSeconds?: number | null;
    readonly seats: number;
    /** In seconds since 1970 on the chain's clock. */
    readonly startsAt: number;
  } | null;
  readonly curriculum?: readonly ({
    readonly content: string;
    /** One line. */
    readonly title: string;
  })[] | null;
  readonly delivery: string;
  readonly description: string;
  readonly direct?: {
    /** The only account that can buy it. */
    readonly buyer?: string | null;
    /** When the offer ends, in seconds since 1970 on the chain's clock. */
    readonly offerUntil?: number | null;
  } | null;
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  /** The number of the seller's token to resell. */
  readonly item?: string | null;
  /** Files that were added, in the order shown; an edit without it keeps them. */
  readonly media?: readonly ({
    readonly id: string;
    /** In bytes. */
    readonly length?: number | null;
    readonly type?: string | null;
  })[] | null;
  /** How it is sold. */
  readonly payment: string;
  readonly pickupPlace?: string | null;
  /** How many pieces a new listing offers, each in a sale of its own. */
  readonly pieces?: number | null;
  /** The price as listed. */
  readonly price: {
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly amount: string;
    /** 'native' for the chain's own money, or a token's address. */
    readonly currency: string;
  };
  /** Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities ('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance. */
  readonly shipsTo: readonly string[];
  readonly shipsWithin?: {
    /** It ships to less than this distance, in metres on the great circle. */
    readonly metres: number;
    readonly place: string;
    readonly point: {
      /** In degrees of WGS 84, north positive. */
      readonly latitude: number;
      /** In degrees of WGS 84, east positive. */
      readonly longitude: number;
    };
  } | null;
  readonly tags: readonly string[];
  readonly terms?: {
    readonly arbiter?: string | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly arbiterFee?: string | null;
    /** The only account that can buy it. */
    readonly buyer?: string | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly buyerDeposit?: string | null;
    /** How long the buyer has to confirm or dispute, in seconds. */
    readonly confirmSeconds?: number | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly latePenalty?: string | null;
    /** When the offer ends, in seconds since 1970 on the chain's clock. */
    readonly offerUntil?: number | null;
    /** How long a dispute can be settled or ruled, in seconds. */
    readonly rulingSeconds?: number | null;
    /** In the currency's smallest unit (wei for 'native'), in decimal. */
    readonly sellerDeposit?: string | null;
    /** How long the seller has to hand over, in seconds. */
    readonly shipSeconds?: number | null;
  } | null;
  /** One line. */
  readonly title: string;
  readonly type: string;
}

export interface EscrowTerms {
  readonly arbiter?: string | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly arbiterFee?: string | null;
  /** The only account that can buy it. */
  readonly buyer?: string | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly buyerDeposit?: string | null;
  /** How long the buyer has to confirm or dispute, in seconds. */
  readonly confirmSeconds?: number | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly latePenalty?: string | null;
  /** When the offer ends, in seconds since 1970 on the chain's clock. */
  readonly offerUntil?: number | null;
  /** How long a dispute can be settled or ruled, in seconds. */
  readonly rulingSeconds?: number | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly sellerDeposit?: string | null;
  /** How long the seller has to hand over, in seconds. */
  readonly shipSeconds?: number | null;
}

export interface EscrowTermsInput {
  readonly arbiter?: string | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly arbiterFee?: string | null;
  /** The only account that can buy it. */
  readonly buyer?: string | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly buyerDeposit?: string | null;
  /** How long the buyer has to confirm or dispute, in seconds. */
  readonly confirmSeconds?: number | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly latePenalty?: string | null;
  /** When the offer ends, in seconds since 1970 on the chain's clock. */
  readonly offerUntil?: number | null;
  /** How long a dispute can be settled or ruled, in seconds. */
  readonly rulingSeconds?: number | null;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly sellerDeposit?: string | null;
  /** How long the seller has to hand over, in seconds. */
  readonly shipSeconds?: number | null;
}

export interface Event {
  readonly data: Readonly<Record<string, string>>;
  readonly id: number;
  /** The id of its subject. */
  readonly subject: string;
  readonly time: string;
  readonly type: string;
  /** The texts of 'data' in sentences, if it has any. */
  readonly words?: readonly Sentence[] | null;
}

export interface ExportedKeystore {
  readonly address: string;
  readonly fileName: string;
  readonly keystore: string;
}

export interface ExternalAccountCreation {
  readonly address: string;
  readonly name: string;
  readonly password: string;
  readonly signature: string;
  readonly validUntil: number;
}

export interface ExternalAccountRequest {
  readonly address: string;
  readonly name: string;
}

export interface ExternalAccountStatement {
  readonly summary: string;
  readonly typedData: string;
  readonly validUntil: number;
}

export interface GeographicPoint {
  /** In degrees of WGS 84, north positive. */
  readonly latitude: number;
  /** In degrees of WGS 84, east positive. */
  readonly longitude: number;
}

export interface GeographicPointInput {
  /** In degrees of WGS 84, north positive. */
  readonly latitude: number;
  /** In degrees of WGS 84, east positive. */
  readonly longitude: number;
}

export interface Gift {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly to: string;
  /** The token's number, in decimal. */
  readonly token: string;
}

export interface HiddenEntry {
  readonly account: string;
  /** The author of the list that hides it, or the account itself. */
  readonly by: string;
  readonly list?: string | null;
  readonly listing?: string | null;
  readonly reason?: string | null;
}

export interface Home {
  readonly address: string;
  readonly isThisNode: boolean;
  readonly peer: string;
  /** The time until which it is valid. */
  readonly until: string;
}

export interface HomeRequest {
  readonly address: string;
}

export interface IdentifierCheck {
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  readonly isContested: boolean;
  readonly items: readonly Item[];
  readonly listings: readonly IdentifierCheckUse[];
}

export interface IdentifierCheckUse {
  readonly author: string;
  readonly authorsSales: number;
  readonly listing: string;
  readonly state: "open" | "over" | "without_sale" | "unknown";
  /** The state in a shop's words, for people. */
  readonly status: Sentence;
  readonly title: string;
  /** When its token was first listed, on the chain's clock. */
  readonly tokenSince?: string | null;
}

export interface Item {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly contentHash: string;
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier?: string | null;
  readonly maker: string;
  readonly owner: string;
  readonly sales: readonly Sale[];
  /** When it was first listed, on the chain's clock. */
  readonly since?: string | null;
  /** The token's number, in decimal. */
  readonly token: string;
}

export interface Listing {
  readonly anchor?: ListingAnchor | null;
  readonly author: string;
  readonly average?: number | null;
  /** The number of bids in its auction so far. */
  readonly bids?: number | null;
  /** The promised fields that were changed after it was listed. */
  readonly changes?: readonly ("curriculum" | "delivery" | "description" | "identifier" | "media" | "title")[] | null;
  readonly content: ListingContent;
  readonly createdAt: string;
  /** From 'near' to the point around which it is shipped, in metres. */
  readonly distance?: number | null;
  readonly endsAt?: string | null;
  readonly firstSeenAt: string;
  readonly freeSeats?: number | null;
  readonly highestBid?: Money | null;
  readonly id: string;
  /** Whether the listing matches the promise of its sale. */
  readonly isAsPromised?: boolean | null;
  readonly isCurrencyAccepted: boolean;
  /** Whether the token is sold again: another account made it, or it was bought before. */
  readonly isResale?: boolean | null;
  /** The account that made the token on sale, and gets the royalty. */
  readonly maker?: string | null;
  /** The minimum bid that is accepted now. */
  readonly minimalBid?: Money | null;
  /** The caller's part in its sale; a student is enrolled in the last round. */
  readonly own?: "seller" | "buyer" | "bidder" | "arbiter" | "teacher" | "student" | null;
  /** How many pieces there are, if several are offered. */
  readonly pieces?: ListingPieces | null;
  /** The current price: the highest bid, or that of the last round; otherwise as listed. */
  readonly price?: Money | null;
  /** The words that the sale promises, beside those that were changed. */
  readonly promised?: SaleCommitment | null;
  /** The number of evaluations of a course. */
  readonly raters?: number | null;
  readonly record: string;
  readonly rivals?: readonly IdentifierCheckUse[] | null;
  readonly salePhase?: "ready" | "bid" | "aborted" | "sold" | "unsold" | "open" | "begun" | "cancelled" | "settled" | "listed" | "paid" | "transferred" | "disputed" | "declined" | "refunded" | "complete" | null;
  /** Who sells it, if 'sellers' asks for it. */
  readonly seller?: ListingSeller | null;
  readonly state: "open" | "over" | "without_sale" | "unknown";
  /** The state in a shop's words, for people. */
  readonly status: Sentence;
  /** The number of enrolments in all rounds of a course. */
  readonly students?: number | null;
  /** When its token was first listed, on the chain's clock. */
  readonly tokenSince?: string | null;
}

export interface ListingAnchor {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly contract: string;
  readonly sale: string;
}

export interface ListingCategory {
  readonly id: string;
  readonly listings: number;
  /** The name for people; absent for one that only listings name. */
  readonly name?: Sentence | null;
}

export interface ListingContent {
  readonly auction?: AuctionTerms | null;
  /** Lower-case letters, digits and hyphens. */
  readonly category: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly course?: CourseTerms | null;
  readonly curriculum?: readonly CurriculumSession[] | null;
  readonly delivery: "shipping" | "pickup" | "online";
  readonly description: string;
  readonly direct?: DirectSaleTerms | null;
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  /** The number of the seller's token to resell. */
  readonly item?: string | null;
  /** Files that were added, in the order shown; an edit without it keeps them. */
  readonly media?: readonly ListingMedia[] | null;
  /** How it is sold. */
  readonly payment: "auction" | "direct" | "enrolment" | "escrow";
  readonly pickupPlace?: string | null;
  /** How many pieces a new listing offers, each in a sale of its own. */
  readonly pieces?: number | null;
  /** The price as listed. */
  readonly price: Money;
  /** Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities ('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance. */
  readonly shipsTo: readonly string[];
  readonly shipsWithin?: ShippingDistance | null;
  readonly tags: readonly string[];
  readonly terms?: EscrowTerms | null;
  /** One line. */
  readonly title: string;
  readonly type: "goods" | "digital" | "course";
}

export interface ListingContentInput {
  readonly auction?: AuctionTermsInput | null;
  /** Lower-case letters, digits and hyphens. */
  readonly category: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly course?: CourseTermsInput | null;
  readonly curriculum?: readonly CurriculumSessionInput[] | null;
  readonly delivery: "shipping" | "pickup" | "online";
  readonly description: string;
  readonly direct?: DirectSaleTermsInput | null;
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  /** The number of the seller's token to resell. */
  readonly item?: string | null;
  /** Files that were added, in the order shown; an edit without it keeps them. */
  readonly media?: readonly ListingMediaInput[] | null;
  /** How it is sold. */
  readonly payment: "auction" | "direct" | "enrolment" | "escrow";
  readonly pickupPlace?: string | null;
  /** How many pieces a new listing offers, each in a sale of its own. */
  readonly pieces?: number | null;
  /** The price as listed. */
  readonly price: MoneyInput;
  /** Only countries (ISO 3166 codes), only states ('Bavaria, DE') or only cities ('Munich, Bavaria, DE'); everywhere if it is empty and there is no distance. */
  readonly shipsTo: readonly string[];
  readonly shipsWithin?: ShippingDistanceInput | null;
  readonly tags: readonly string[];
  readonly terms?: EscrowTermsInput | null;
  /** One line. */
  readonly title: string;
  readonly type: "goods" | "digital" | "course";
}

export interface ListingFacets {
  readonly categories: readonly ListingFacetsCount[];
  readonly deliveries: readonly ListingFacetsCount[];
  readonly distances: readonly ListingFacetsCount[];
  readonly payments: readonly ListingFacetsCount[];
  readonly prices: readonly ListingFacetsPrices[];
  /** How many can reach the caller's own delivery address. */
  readonly reachesMe?: number | null;
  readonly sellers: readonly ListingFacetsCount[];
  /** From 1 to 5. */
  readonly stars: readonly ListingFacetsCount[];
  readonly states: readonly ListingFacetsCount[];
}

export interface ListingFacetsCount {
  readonly count: number;
  /** The value in words for people, if there are any. */
  readonly name?: Sentence | null;
  readonly value: string;
}

export interface ListingFacetsPrices {
  readonly count: number;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  readonly least: string;
  readonly most: string;
}

export interface ListingMedia {
  readonly id: string;
  /** In bytes. */
  readonly length?: number | null;
  readonly type?: "image/jpeg" | "image/png" | "image/webp" | "application/pdf" | null;
}

export interface ListingMediaInput {
  readonly id: string;
  /** In bytes. */
  readonly length?: number | null;
  readonly type?: "image/jpeg" | "image/png" | "image/webp" | "application/pdf" | null;
}

export interface ListingPieces {
  /** How many can be bought now. */
  readonly free: number;
  /** How many are listed, sold ones included. */
  readonly total: number;
}

export interface ListingRow {
  readonly average?: number | null;
  /** The number of bids in its auction so far. */
  readonly bids?: number | null;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  /** From 'near' to its point, in metres. */
  readonly distance?: number | null;
  readonly endsAt?: string | null;
  readonly freeSeats?: number | null;
  /** It begins with the seller's address. */
  readonly id: string;
  /** The caller's part in its sale; a student is enrolled in the last round. */
  readonly own?: "seller" | "buyer" | "bidder" | "arbiter" | "teacher" | "student" | null;
  /** How it is sold. */
  readonly payment: "auction" | "direct" | "enrolment" | "escrow";
  /** The first picture, without its type and length. */
  readonly picture?: ListingMedia | null;
  readonly pieces?: ListingPieces | null;
  /** Where it is handed over, or sent around. */
  readonly place?: string | null;
  /** The current price; the listed one while the sale is not seen. */
  readonly price: Money;
  /** Who sells it. */
  readonly seller?: ListingSeller | null;
  readonly state: "open" | "over" | "without_sale" | "unknown";
  /** The code of the state in a shop's words; its values are the row's own: 'amount' is 'price', 'free' and 'count' are of 'pieces', or 'count' is 'freeSeats'. */
  readonly status: string;
  /** The number of enrolments in all rounds of a course. */
  readonly students?: number | null;
  /** The first tags, as far as there is room. */
  readonly tags: readonly string[];
  readonly title: string;
  readonly type: "goods" | "digital" | "course";
}

export interface ListingSeller {
  readonly avatar?: ListingMedia | null;
  readonly name?: string | null;
  /** The average, in hundredths of a star. */
  readonly rating?: number | null;
  /** How many accounts have reviewed the seller. */
  readonly reviewers: number;
}

export interface ListingSuggestion {
  readonly listings: number;
  readonly text: string;
}

export interface MediaFile {
  /** In pixels. */
  readonly height?: number | null;
  readonly id: string;
  /** In bytes. */
  readonly length: number;
  /** The SHA-256 of the bytes that the node received. */
  readonly received: string;
  readonly type: "image/jpeg" | "image/webp" | "application/pdf";
  /** In pixels. */
  readonly width?: number | null;
}

export interface Message {
  readonly arrivedAt: string;
  readonly conversation: string;
  /** How many of the recipient's homes have it, while it is in transit. */
  readonly heldBy: number;
  readonly id: string;
  readonly kind: "text" | "report" | "address" | "exception" | "work" | "note" | "offer" | "unknown";
  /** The number of pictures of a note; its sale has their ids. */
  readonly pictures?: number | null;
  /** The reason for its failure, and the next step. */
  readonly problem?: string | null;
  /** The same in sentences. */
  readonly reason?: readonly Sentence[] | null;
  readonly sender: string;
  readonly sentAt: string;
  readonly state: "queued" | "sent" | "delivered" | "not_understood" | "read" | "failed" | "received";
  readonly text: string;
}

export interface MessageDraft {
  readonly text: string;
}

export interface Money {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
}

export interface MoneyInput {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
}

export interface NodeClock {
  /** How far the chain's time is ahead of the clock; negative if behind. */
  readonly chainAheadSeconds?: number | null;
  /** How far linked peers' clocks are ahead of it; negative if behind. */
  readonly peersAheadSeconds?: number | null;
  /** What to consider. */
  readonly warnings: readonly Sentence[];
}

export interface NodeStatus {
  readonly chains: readonly ChainStatus[];
  /** The node's wall clock beside others'; null if nothing can be compared. */
  readonly clock?: NodeClock | null;
  readonly listenAddresses: readonly string[];
  readonly network: string;
  readonly peer: string;
  readonly peers: number;
  readonly records: number;
  /** The account that gets the node's reports; null if there is none. */
  readonly reportsTo?: string | null;
  /** What is wrong with the room of the store; null if nothing is. */
  readonly storeWarning?: Sentence | null;
  readonly version: string;
}

export interface OfferAcceptance {
  /** The deadline of the preview, in seconds since 1970, so that what was shown is signed; without it the buyer's time counts from now. */
  readonly payUntil?: number | null;
}

export interface OpenSession {
  /** When the session ends in any case. */
  readonly expiresAt: string;
  /** When the session ends if it is not used. */
  readonly idleUntil: string;
  /** Whether the call is made with it. */
  readonly isCurrent: boolean;
  /** Whether a page opened it, and not a program. */
  readonly isPage: boolean;
  readonly openedAt: string;
}

export interface Operation {
  readonly account: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  readonly createdAt: string;
  /** When it ended; absent while it runs. */
  readonly endedAt?: string | null;
  /** The maximum of all fees together, in wei. */
  readonly feeMax?: string | null;
  readonly id: string;
  readonly kind: "list" | "edit" | "withdraw" | "buy" | "bid" | "move" | "collect" | "arbitrate" | "send";
  readonly phases: readonly OperationPhase[];
  readonly problem?: Problem | null;
  /** 'needs_unlock' waits for its owner to sign in. */
  readonly state: "running" | "needs_unlock" | "needs_signature" | "done" | "failed";
  readonly subject?: string | null;
}

export interface OperationPhase {
  /** In words. */
  readonly detail?: string | null;
  readonly endedAt?: string | null;
  readonly name: "estimate" | "signed" | "sent" | "mined" | "confirmed" | "published" | "told";
  /** The same in sentences. */
  readonly notes?: readonly Sentence[] | null;
  readonly state: "waiting" | "running" | "done" | "failed";
}

export interface OperatorSession {
  /** When the session ends in any case. */
  readonly expiresAt: string;
  /** When the session ends if it is not used. */
  readonly idleUntil: string;
  /** Sent as 'Authorization: Bearer …', with the cookie of the answer. */
  readonly token: string;
}

export interface PageCode {
  /** Opens one session, with 'POST /v1/sessions/operator'. */
  readonly code: string;
  /** When it is of no use any longer. */
  readonly expiresAt: string;
}

export interface PageCodeProof {
  readonly code: string;
}

export interface PasswordChange {
  readonly newPassword: string;
  readonly password?: string | null;
  /** The recovery phrase, words separated by blanks. */
  readonly phrase?: string | null;
  readonly privateKey?: string | null;
}

export interface PasswordProof {
  readonly password: string;
}

export interface Peer {
  readonly addresses: readonly string[];
  readonly agent?: string | null;
  readonly direction?: "inbound" | "outbound" | null;
  readonly id: string;
  readonly isConnected: boolean;
  readonly missing?: number | null;
}

export interface PeerAddress {
  readonly address: string;
}

export interface PieceChange {
  /** How many more pieces to list, at the present price and terms. */
  readonly add?: number | null;
  /** How many free pieces to withdraw, instead of adding any. */
  readonly withdraw?: number | null;
}

export interface Place {
  /** The ISO 3166 code. */
  readonly country: string;
  readonly countryName: string;
  /** Whether the search has a whole name of it, not only its beginning. */
  readonly isWhole: boolean;
  /** In the language that was asked for; if there is none, in English or a local language. */
  readonly name: string;
  readonly point: GeographicPoint;
  /** The number of people, rounded down to tens. */
  readonly population: number;
  /** The state or province, in countries whose regions the node knows. */
  readonly region?: string | null;
}

export interface PriceOffer {
  readonly buyer: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly id: string;
  /** The node's plan if the buyer of an accepted offer does not pay; null if it has none, and for others than the seller. */
  readonly ifUnpaid?: readonly Sentence[] | null;
  readonly listedPrice: Money;
  readonly listing: string;
  /** Until when the buyer can pay, on the chain's clock. */
  readonly payUntil?: string | null;
  /** How long the buyer has to pay once it is accepted. */
  readonly paymentSeconds: number;
  readonly price: Money;
  /** If the seller reserved it for the buyer on other terms, which is no acceptance: each difference. */
  readonly reason?: readonly Sentence[] | null;
  readonly sentAt: string;
  readonly state: "open" | "expired" | "accepted" | "lapsed" | "paid" | "over";
  readonly title: string;
  /** Until when the seller can accept it, on the chain's clock. */
  readonly until: string;
}

export interface PriceOfferDraft {
  /** How long the buyer has to pay once it is accepted; 2 days if left out. */
  readonly paymentSeconds?: number | null;
  /** Below the listing's price, in its currency. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly price: string;
  /** Until when the seller can accept it, in seconds since 1970, at most 30 days ahead; 3 days if left out. */
  readonly until?: number | null;
}

export interface Problem {
  readonly code: "malformed_json" | "malformed_value" | "body_too_large" | "headers_too_large" | "unsupported_media_type" | "sign_in_needed" | "wrong_password" | "password_needed" | "too_many_tries" | "strange_host" | "strange_origin" | "operator_needed" | "not_allowed" | "not_found" | "ambiguous_id" | "method_not_allowed" | "upgrade_needed" | "name_taken" | "account_busy" | "weak_password" | "bad_phrase" | "bad_key" | "bad_address" | "bad_amount" | "bad_terms" | "bad_listing" | "unknown_listing" | "own_listing" | "listing_gone" | "bad_media" | "unknown_media" | "media_unavailable" | "media_no_room" | "range_not_satisfiable" | "bid_too_low" | "not_as_promised" | "shipping_not_possible" | "insufficient_balance" | "unknown_sale" | "move_not_open" | "contract_refused" | "fee_above_limit" | "not_final_yet" | "one_source" | "not_your_sale" | "review_refused" | "already_reviewed" | "reports_not_taken" | "unknown_conversation" | "unknown_recipient" | "message_too_long" | "home_refused" | "unknown_operation" | "idempotency_key_reused" | "idempotency_key_needed" | "in_progress" | "needs_unlock" | "signs_elsewhere" | "bad_signature" | "waited_too_long" | "unknown_chain" | "ambiguous_chain" | "chain_away" | "wrong_chain" | "wrong_market" | "chain_stale" | "clock_wrong" | "peer_unreachable" | "store_full" | "shutting_down" | "internal_error";
  /** In words. */
  readonly detail: string;
  /** The field of the request at fault. */
  readonly field?: string | null;
  /** The same in sentences, if a person can do something about it. */
  readonly reason?: readonly Sentence[] | null;
  readonly status: number;
  readonly title: string;
  readonly type: string;
}

export interface ProfileChange {
  readonly about?: string | null;
  readonly avatar?: string | null;
  readonly name?: string | null;
  readonly region?: string | null;
}

export interface ProfileSummary {
  readonly account: string;
  readonly avatar?: ListingMedia | null;
  readonly name?: string | null;
}

export interface Purchase {
  /** Buy the promised item, whatever the seller has changed since. */
  readonly acceptsChanges?: boolean | null;
  /** Accept one endpoint's answers while no second endpoint answers. */
  readonly acceptsOneSource?: boolean | null;
  /** What the node sends the seller, sealed, once it is paid; without a text, that of the account's delivery address. None sends nothing. */
  readonly address?: AddressDisclosure | null;
  /** The whole bid. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly bid?: string | null;
  /** The chain of the sale, needed with 'leavesMax'; nothing is bought on another one. */
  readonly chain?: number | null;
  /** The part of the bid that the caller's credit pays. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly fromCredit?: string | null;
  /** The most that may leave the account now for price and deposit; nothing is bought if it is more or in another currency. It needs 'chain'. */
  readonly leavesMax?: MoneyInput | null;
  readonly listing: string;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  /** The sale as the preview showed it; nothing is bought if it has changed. */
  readonly sale?: string | null;
  /** A country code (ISO 3166), 'Bavaria, DE' or 'Munich, Bavaria, DE', needed if the seller limits shipping; none is that of the account's delivery address. */
  readonly shipTo?: string | null;
  readonly shipToPoint?: GeographicPointInput | null;
}

export interface ReadThrough {
  readonly message: string;
}

export interface RecoveredHome {
  readonly peer: string;
  readonly vault: "own" | "exchanged" | "waiting" | "failed";
}

export interface RecoveryGap {
  readonly reason: readonly Sentence[];
  readonly what: "peers" | "profile" | "vault" | "sales" | "works";
}

export interface RecoveryReport {
  readonly gaps: readonly RecoveryGap[];
  readonly homes: readonly RecoveredHome[];
  readonly isLooking: boolean;
  readonly listings: number;
  readonly profile?: string | null;
  readonly reviews: number;
  readonly sales: number;
  readonly vaultEntries: number;
  readonly works: number;
}

export interface Report {
  readonly account?: string | null;
  /** The first text of the other side after it; null if there is none yet. */
  readonly answer?: string | null;
  readonly conversation: string;
  readonly id: string;
  readonly listing?: string | null;
  readonly review?: string | null;
  readonly sender: string;
  readonly sentAt: string;
  readonly state: "queued" | "sent" | "delivered" | "not_understood" | "read" | "failed" | "received";
  readonly text: string;
  readonly title?: string | null;
}

export interface ReportDraft {
  readonly account?: string | null;
  readonly listing?: string | null;
  readonly review?: string | null;
  readonly text: string;
}

export interface Reputation {
  readonly account: string;
  readonly bought: readonly ReputationEnding[];
  /** With how many accounts it has completed sales. */
  readonly counterparties: number;
  readonly disputed: readonly ReputationEnding[];
  /** How many disputes ended against the account. */
  readonly disputesLost: number;
  /** In hundredths of a star; each reviewer counts once. */
  readonly rating?: number | null;
  readonly reviewers: number;
  /** How many sales ended otherwise, by phase, or were offered again. */
  readonly setAside: readonly ReputationEnding[];
  /** Its first move in a sale, on the chain's clock. */
  readonly since?: string | null;
  readonly sold: readonly ReputationEnding[];
  /** The prices of its completed sales, sold and bought. */
  readonly traded: readonly ReputationVolume[];
}

export interface ReputationEnding {
  readonly count: number;
  readonly phase: string;
  /** The state in a shop's words, for people. */
  readonly status: Sentence;
}

export interface ReputationVolume {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly money: Money;
}

export interface RevealedKey {
  readonly address: string;
  readonly privateKey: string;
}

export interface Review {
  readonly author: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly createdAt: string;
  readonly isContradicted: boolean;
  readonly listing?: string | null;
  /** Files that were added, in the order shown; an edit without it keeps them. */
  readonly media?: readonly ListingMedia[] | null;
  readonly outcome: "complete" | "refunded" | "settled";
  readonly price: Money;
  readonly record: string;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  readonly sale: string;
  /** From 1 to 5. */
  readonly stars: number;
  readonly subject: string;
  readonly text: string;
}

export interface ReviewDraft {
  /** Files that were added, in the order shown; an edit without it keeps them. */
  readonly media?: readonly ListingMediaInput[] | null;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  readonly sale: string;
  /** From 1 to 5. */
  readonly stars: number;
  readonly text?: string | null;
}

export interface Sale {
  readonly actions: readonly SaleAction[];
  /** The chain's time at the answer. */
  readonly asOf?: string | null;
  readonly auction?: SaleAuction | null;
  readonly buyer?: string | null;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  /** Of the last event of the sale. */
  readonly confirmations: number;
  /** How many make it final. */
  readonly confirmationsNeeded: number;
  /** How many endpoints have all events of the sale. */
  readonly confirmedBy: number;
  readonly contract: string;
  readonly course?: SaleCourse | null;
  readonly deadline?: SaleDeadline | null;
  /** Where to send the item, if the account has said it or needs it now. */
  readonly deliveryAddress?: string | null;
  readonly direct?: SaleDirectSale | null;
  readonly escrow?: SaleEscrow | null;
  readonly history: readonly SaleStep[];
  readonly id: string;
  /** The node's plan if the buyer of an accepted offer does not pay; null if it has none, and for others than the seller. */
  readonly ifUnpaid?: readonly Sentence[] | null;
  /** Whether it is the caller's turn. */
  readonly isOwnTurn: boolean;
  /** Whether the token is sold again: another account made it, or it was bought before. */
  readonly isResale?: boolean | null;
  /** For the two sides of an auction or a direct sale that sold: whether its seller has not said yet that the item was sent. */
  readonly isToBeSent?: boolean | null;
  /** The token's number, in decimal. */
  readonly item?: string | null;
  readonly kind: "auction" | "direct" | "enrolment" | "escrow";
  /** The sale that replaced it when the seller changed the price. */
  readonly listedAgain?: SaleOffer | null;
  readonly listing?: string | null;
  /** The account that made the token on sale, and gets the royalty. */
  readonly maker?: string | null;
  /** What the caller can do next, the likeliest first. */
  readonly nextSteps: readonly SaleNextStep[];
  /** The other side: for the seller the buyer, for all others the seller. */
  readonly other?: ProfileSummary | null;
  /** The caller's part in it; an outbid account has lost once the auction is over. */
  readonly own?: "seller" | "buyer" | "highest_bidder" | "outbid" | "lost" | "arbiter" | "teacher" | "student" | null;
  readonly payouts?: readonly SalePayout[] | null;
  readonly phase: "ready" | "bid" | "aborted" | "sold" | "unsold" | "open" | "begun" | "cancelled" | "settled" | "listed" | "paid" | "transferred" | "disputed" | "declined" | "refunded" | "complete";
  readonly picture?: ListingMedia | null;
  readonly price: Money;
  /** The text whose hash the sale has on the chain; also after a withdrawal. */
  readonly promised?: SaleCommitment | null;
  /** Whether no second endpoint answers; see 'acceptsOneSource'. */
  readonly restsOnOneSource: boolean;
  readonly seller: string;
  /** When the sale entered its phase, on the chain's clock. */
  readonly since?: string | null;
  /** Its progress, for every way to sell. */
  readonly stage: "offered" | "running" | "over";
  /** The state in a shop's words, for people. */
  readonly status: Sentence;
  readonly title?: string | null;
  /** Whose turn it is, and for what; until the time of 'deadline'. */
  readonly turn: Sentence;
  /** What to consider. */
  readonly warnings: readonly Sentence[];
}

export interface SaleAction {
  /** What happens then. */
  readonly consequence: readonly Sentence[];
  readonly move: string;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  /** The seller's share of the price, in basis points (5000 is 50 %). */
  readonly share?: number | null;
  /** The time until which it is valid. */
  readonly until?: string | null;
}

export interface SaleAuction {
  readonly bidders: number;
  readonly endsAt: string;
  /** The latest end, however late the bids are. */
  readonly endsAtMost: string;
  readonly highestBid?: SaleBid | null;
  readonly isOpen: boolean;
  /** The minimum bid that is accepted now. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly minimalBid?: string | null;
  /** The highest bid of the account that asks. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly ownBid?: string | null;
  /** The minimum first bid. In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly startingBid: string;
  readonly terms: AuctionTerms;
}

export interface SaleBid {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  readonly bidder: string;
}

export interface SaleCommitment {
  readonly curriculum?: readonly CurriculumSession[] | null;
  readonly description: string;
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  readonly title: string;
}

export interface SaleCourse {
  readonly average?: number | null;
  readonly criteria?: SaleCriteria | null;
  readonly raters: number;
  readonly rounds: readonly SaleRound[];
}

export interface SaleCriteria {
  readonly communication: number;
  readonly content: number;
  readonly delivery: number;
  readonly overall: number;
  readonly preparation: number;
}

export interface SaleDeadline {
  /** On the chain's clock. */
  readonly at: string;
  /** What happens then. */
  readonly consequence: readonly Sentence[];
}

export interface SaleDirectSale {
  readonly terms: DirectSaleTerms;
}

export interface SaleEscrow {
  readonly isTaken: boolean;
  readonly proposals: readonly SaleProposal[];
  readonly terms: EscrowTerms;
}

export interface SaleMove {
  /** Accept one endpoint's answers while no second endpoint answers. */
  readonly acceptsOneSource?: boolean | null;
  readonly course?: CourseTermsInput | null;
  readonly move: string;
  /** What the node sends the other side, sealed, once the move is final; in a dispute that the arbiter takes, the arbiter gets it too. */
  readonly note?: string | null;
  /** Pictures that the account has added, such as of a damage, which go with the note. */
  readonly pictures?: readonly string[] | null;
  /** Five numbers: preparation, content, delivery, communication, overall. */
  readonly points?: readonly number[] | null;
  readonly price?: MoneyInput | null;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  /** The seller's share of the price, in basis points (5000 is 50 %). */
  readonly share?: number | null;
  /** For a proposal: when it expires, in seconds since 1970 on the chain's clock. */
  readonly until?: number | null;
}

export interface SaleNextStep {
  /** The minimum bid that is accepted now, to bid more. */
  readonly bid?: Money | null;
  /** The operation that sends the buyer's address. */
  readonly operation?: string | null;
  /** The number of the round, from 0. */
  readonly round?: number | null;
  /** The seller's share of the price, in basis points (5000 is 50 %). */
  readonly share?: number | null;
  /** Until when it is possible, on the chain's clock. */
  readonly until?: string | null;
  /** The step in words; its code names it. */
  readonly words: Sentence;
}

export interface SaleOffer {
  readonly price: Money;
  readonly sale: string;
}

export interface SalePayout {
  readonly account: string;
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  readonly role: "seller" | "buyer" | "platform" | "maker" | "arbiter" | "teacher" | "nobody";
}

export interface SaleProposal {
  readonly by: string;
  readonly role: "seller" | "buyer";
  /** The seller's share of the price, in basis points (5000 is 50 %). */
  readonly share: number;
  /** The time until which it is valid. */
  readonly until: string;
}

export interface SaleRound {
  readonly enrolled: number;
  readonly number: number;
  readonly own?: "enrolled" | "rated" | "refunded" | null;
  readonly phase: "open" | "begun" | "cancelled" | "settled";
  readonly price: Money;
  readonly raters: number;
  /** The state in a shop's words, for people. */
  readonly status: Sentence;
  readonly students?: readonly string[] | null;
  readonly terms: CourseTerms;
}

export interface SaleStep {
  /** The time of the block. */
  readonly at: string;
  readonly by: string;
  readonly link?: string | null;
  readonly move: string;
  /** The note that came with it, for those who may read it. */
  readonly note?: string | null;
  /** The ids of the note's pictures, each at /v1/sales/{id}/picture?picture=… */
  readonly pictures?: readonly string[] | null;
  readonly transaction: string;
}

export interface SavedListing {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** In a cart: whether it was listed again, at another price or on other terms, since it was put there; none if that is not known. */
  readonly isListedAgain?: boolean | null;
  readonly listing: string;
  /** How it is sold. */
  readonly payment?: string | null;
  /** The first picture of the listing. */
  readonly picture?: ListingMedia | null;
  readonly price?: Money | null;
  /** The name and picture in the seller's profile. */
  readonly profile?: ProfileSummary | null;
  /** In a cart: the sale that the listing named when it was put there. */
  readonly sale?: string | null;
  readonly seller: string;
  /** Since when the account has had it there. */
  readonly since: string;
  readonly state?: "open" | "over" | "without_sale" | "unknown" | null;
  /** The state in a shop's words, for people. */
  readonly status?: Sentence | null;
  readonly title?: string | null;
}

export interface SavedSearch {
  readonly name: string;
  readonly since: string;
  readonly terms: SearchTerms;
}

export interface SearchTerms {
  readonly author?: string | null;
  /** Lower-case letters, digits and hyphens. */
  readonly category?: string | null;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency?: string | null;
  readonly delivery?: "shipping" | "pickup" | "online" | null;
  readonly near?: GeographicPoint | null;
  /** How it is sold. */
  readonly payment?: "auction" | "direct" | "enrolment" | "escrow" | null;
  readonly priceMax?: string | null;
  readonly priceMin?: string | null;
  /** Only listings that can reach the account's current delivery address. */
  readonly reachesMe?: boolean | null;
  /** The ISO 3166 code of a country that it must ship to. */
  readonly shipsTo?: string | null;
  /** The order in which it is shown; by price it needs 'currency', by distance 'near'. */
  readonly sort?: "relevance" | "newest" | "oldest" | "cheapest" | "costliest" | "ending" | "nearest" | "popular" | null;
  /** Only listings of sellers whose reviews average at least this many stars. */
  readonly starsMin?: number | null;
  readonly tag?: string | null;
  readonly text?: string | null;
  /** In kilometres; it needs 'near'. */
  readonly within?: number | null;
}

export interface SearchTermsInput {
  readonly author?: string | null;
  /** Lower-case letters, digits and hyphens. */
  readonly category?: string | null;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency?: string | null;
  readonly delivery?: "shipping" | "pickup" | "online" | null;
  readonly near?: GeographicPointInput | null;
  /** How it is sold. */
  readonly payment?: "auction" | "direct" | "enrolment" | "escrow" | null;
  readonly priceMax?: string | null;
  readonly priceMin?: string | null;
  /** Only listings that can reach the account's current delivery address. */
  readonly reachesMe?: boolean | null;
  /** The ISO 3166 code of a country that it must ship to. */
  readonly shipsTo?: string | null;
  /** The order in which it is shown; by price it needs 'currency', by distance 'near'. */
  readonly sort?: "relevance" | "newest" | "oldest" | "cheapest" | "costliest" | "ending" | "nearest" | "popular" | null;
  /** Only listings of sellers whose reviews average at least this many stars. */
  readonly starsMin?: number | null;
  readonly tag?: string | null;
  readonly text?: string | null;
  /** In kilometres; it needs 'near'. */
  readonly within?: number | null;
}

export interface SentNotice {
  /** What the buyer is to know, such as the number of the parcel. */
  readonly note?: string | null;
  /** Pictures that the account has added. */
  readonly pictures?: readonly string[] | null;
}

export interface Sentence {
  readonly code: string;
  /** The English text, made of both. */
  readonly detail: string;
  /** What stands in the pattern, by name, as text (1.5). */
  readonly values: Readonly<Record<string, string>>;
}

export interface Session {
  readonly account: Account;
  /** When the session ends in any case. */
  readonly expiresAt: string;
  /** When the session ends if it is not used. */
  readonly idleUntil: string;
  /** Sent as 'Authorization: Bearer …'. */
  readonly token: string;
}

export interface ShippingDistance {
  /** It ships to less than this distance, in metres on the great circle. */
  readonly metres: number;
  readonly place: string;
  readonly point: GeographicPoint;
}

export interface ShippingDistanceInput {
  /** It ships to less than this distance, in metres on the great circle. */
  readonly metres: number;
  readonly place: string;
  readonly point: GeographicPointInput;
}

export interface ShippingException {
  readonly buyer: string;
}

export interface SignIn {
  readonly account: string;
  /** A page of the node signs in: its session needs the cookie of the answer beside the token. Only the node's own origin can do so. */
  readonly isPage?: boolean | null;
  readonly password: string;
}

export interface SignatureAnswer {
  readonly hash?: string | null;
  readonly signature?: string | null;
  readonly transaction?: string | null;
}

export interface SignatureRequest {
  readonly kind: "list" | "edit" | "withdraw" | "buy" | "bid" | "move" | "collect" | "arbitrate" | "send";
  readonly operation: string;
  readonly subject?: string | null;
  readonly transaction?: UnsignedTransaction | null;
  readonly typedData?: string | null;
  readonly words: readonly Sentence[];
}

export interface Student {
  readonly account: string;
  readonly enrolledAt: string;
  readonly name?: string | null;
  /** Five numbers: preparation, content, delivery, communication, overall. */
  readonly points?: readonly number[] | null;
  /** The number of the round, from 0. */
  readonly round: number;
  readonly state: string;
}

export interface Subscription {
  readonly list: string;
}

export interface Transfer {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain?: number | null;
  /** 'native' for the chain's own money, or a token's address. */
  readonly currency: string;
  readonly to: string;
}

export interface UnattendedMoves {
  /** Whether the file with the sealed key is damaged or was changed, so that it allows nothing; null if not. Leave the account alone again, or end it. */
  readonly isDamaged?: boolean | null;
  /** Empty if the account is not left alone. */
  readonly moves: readonly ("deliver" | "claim" | "end" | "refund")[];
  /** When it ends; null if the account is not left alone. */
  readonly until?: string | null;
}

export interface UnattendedRequest {
  readonly moves: readonly ("deliver" | "claim" | "end" | "refund")[];
  readonly password: string;
  /** For how long from now. */
  readonly seconds: number;
}

export interface UnsignedTransaction {
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly data: string;
  /** The maximum of all fees together, in wei. */
  readonly feeMax: string;
  readonly from: string;
  readonly gas: number;
  readonly gasPrice?: string | null;
  readonly maxFeePerGas?: string | null;
  readonly maxPriorityFeePerGas?: string | null;
  readonly nonce: number;
  readonly nonceMax: number;
  readonly to?: string | null;
  readonly unsigned: string;
  readonly value: string;
}

export interface Wallet {
  readonly account: string;
  readonly balances: readonly Money[];
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly credits: readonly WalletCredit[];
  readonly currencies: readonly CurrencyUnit[];
  readonly locked: readonly WalletLocked[];
}

export interface WalletCredit {
  readonly contract: string;
  readonly kind: string;
  readonly money: Money;
  readonly sales: readonly WalletPart[];
}

export interface WalletLocked {
  readonly kind: string;
  readonly money: Money;
  readonly phase: "ready" | "bid" | "aborted" | "sold" | "unsold" | "open" | "begun" | "cancelled" | "settled" | "listed" | "paid" | "transferred" | "disputed" | "declined" | "refunded" | "complete";
  readonly sale: string;
  /** The state in a shop's words, for people. */
  readonly status: Sentence;
}

export interface WalletMovement {
  readonly at: string;
  readonly block: number;
  /** The id of the chain; in a request it can be left out if the node follows only one. */
  readonly chain: number;
  readonly fee?: string | null;
  readonly isIncoming: boolean;
  readonly kind: "sent" | "received" | "fee" | "changed";
  readonly link?: string | null;
  readonly money: Money;
  readonly purpose?: string | null;
  /** The sale in which the transaction is a move. */
  readonly sale?: string | null;
  readonly title?: string | null;
  readonly transaction?: string | null;
  readonly with?: string | null;
}

export interface WalletPart {
  /** In the currency's smallest unit (wei for 'native'), in decimal. */
  readonly amount: string;
  readonly sale: string;
}

export interface Work {
  /** What distinguishes the item from all others, such as a serial number. */
  readonly identifier: string;
  readonly isHere: boolean;
  /** In bytes. */
  readonly length: number;
  readonly name: string;
}

export interface WorkName {
  readonly name: string;
}

/** All calls, by method and path. */
export interface Calls {
  /** List the node's accounts. */
  "GET /v1/accounts": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Account[];
    readonly once: false;
  };
  /** Create an account, or recover one. The recovery phrase is shown only in this answer. */
  "POST /v1/accounts": {
    readonly path: null;
    readonly query: null;
    readonly body: AccountCreation;
    readonly answer: CreatedAccount;
    readonly once: false;
  };
  /** Create an account with a private key, or with the key of a keystore file. */
  "POST /v1/accounts/import": {
    readonly path: null;
    readonly query: null;
    readonly body: AccountImport;
    readonly answer: Account;
    readonly once: false;
  };
  /** Get the account's private key. Anybody who has it controls the account. */
  "POST /v1/accounts/{id}/key": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: PasswordProof;
    readonly answer: RevealedKey;
    readonly once: false;
  };
  /** Get the account's keystore file, which its password opens in other wallets too. */
  "POST /v1/accounts/{id}/keystore": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: PasswordProof;
    readonly answer: ExportedKeystore;
    readonly once: false;
  };
  /** Set a new password, with the old one, the recovery phrase or the private key. Ends all sessions of the account. */
  "POST /v1/accounts/{id}/password": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: PasswordChange;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Remove an account from this node: its key, its mail and all its other data here. */
  "POST /v1/accounts/{id}/remove": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: AccountRemoval;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Make no more moves for the account while nobody is signed in, and remove the sealed key. An account can do this for itself, the operator for all. */
  "DELETE /v1/accounts/{id}/unattended": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get the moves that the node makes for the account while nobody is signed in. */
  "GET /v1/accounts/{id}/unattended": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: UnattendedMoves;
    readonly once: false;
  };
  /** Let the node make moves for the account while nobody is signed in. It keeps the key, sealed under its own: whoever takes its disk can sign anything with it. */
  "PUT /v1/accounts/{id}/unattended": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: UnattendedRequest;
    readonly answer: UnattendedMoves;
    readonly once: false;
  };
  /** Get the account's delivery address, which only its own nodes know. */
  "GET /v1/address": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: DeliveryAddress;
    readonly once: false;
  };
  /** Replace the account's delivery address; an empty one removes it. */
  "PUT /v1/address": {
    readonly path: null;
    readonly query: null;
    readonly body: DeliveryAddressInput;
    readonly answer: DeliveryAddress;
    readonly once: false;
  };
  /** Get the terms on which an account is an arbiter, one for each currency; without 'account' the caller's own. */
  "GET /v1/arbitration": {
    readonly path: null;
    readonly query: { readonly account?: string; readonly chain?: number; };
    readonly body: undefined;
    readonly answer: readonly Arbitration[];
    readonly once: false;
  };
  /** Register the account as an arbiter, or change the terms on which it is one. */
  "POST /v1/arbitration": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: ArbitrationInput;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate registering as an arbiter: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/arbitration/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: ArbitrationInput;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List blocked accounts. */
  "GET /v1/blocked": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly BlockedAccount[];
    readonly once: false;
  };
  /** Block an account: its messages are dropped, and its listings are hidden. */
  "POST /v1/blocked": {
    readonly path: null;
    readonly query: null;
    readonly body: BlockRequest;
    readonly answer: BlockedAccount;
    readonly once: false;
  };
  /** Unblock an account. */
  "DELETE /v1/blocked/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get the account's cart with its totals. */
  "GET /v1/cart": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: Cart;
    readonly once: false;
  };
  /** Remove a listing from the cart, among which words of its title name it. */
  "DELETE /v1/cart/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Put a listing into the cart, or remove it with a quantity of 0. */
  "PUT /v1/cart/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: CartQuantity;
    readonly answer: Cart;
    readonly once: false;
  };
  /** List the categories of listings: known ones, then others that listings have. */
  "GET /v1/categories": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly ListingCategory[];
    readonly once: false;
  };
  /** List the node's chains. */
  "GET /v1/chains": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly ChainStatus[];
    readonly once: false;
  };
  /** List the account's contacts by name. */
  "GET /v1/contacts": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Contact[];
    readonly once: false;
  };
  /** Remove the name of an account. */
  "DELETE /v1/contacts/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Give an account a name that only the signed-in account sees. */
  "PUT /v1/contacts/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: ContactName;
    readonly answer: Contact;
    readonly once: false;
  };
  /** List the account's conversations, most recently changed first; requests=true lists those that strangers began and that are not answered. */
  "GET /v1/conversations": {
    readonly path: null;
    readonly query: { readonly requests?: boolean; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Conversation[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Open a conversation. */
  "POST /v1/conversations": {
    readonly path: null;
    readonly query: null;
    readonly body: ConversationOpening;
    readonly answer: Conversation;
    readonly once: false;
  };
  /** Delete a conversation. */
  "DELETE /v1/conversations/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Accept a conversation: its other side becomes a known sender. */
  "POST /v1/conversations/{id}/accept": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** List the messages before the given one, newest last; 'next' is the next 'before'. */
  "GET /v1/conversations/{id}/messages": {
    readonly path: { readonly id: string; };
    readonly query: { readonly limit?: number; readonly before?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Message[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Send a message. */
  "POST /v1/conversations/{id}/messages": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: MessageDraft;
    readonly answer: Message;
    readonly once: true;
  };
  /** Mark a message as read, and all that arrived before it. */
  "POST /v1/conversations/{id}/read": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: ReadThrough;
    readonly answer: undefined;
    readonly once: false;
  };
  /** List the lists that hide listings, newest first: all here, or an author's. */
  "GET /v1/curations": {
    readonly path: null;
    readonly query: { readonly author?: string; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Curation[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Publish a list; it replaces the account's earlier one of the same name. */
  "POST /v1/curations": {
    readonly path: null;
    readonly query: null;
    readonly body: CurationDraft;
    readonly answer: Curation;
    readonly once: false;
  };
  /** Estimate publishing a list: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/curations/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: CurationDraft;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Withdraw one of the account's lists. */
  "DELETE /v1/curations/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get a list. */
  "GET /v1/curations/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: Curation;
    readonly once: false;
  };
  /** List the currencies of the node's chains and how their amounts are written for people. */
  "GET /v1/currencies": {
    readonly path: null;
    readonly query: { readonly chain?: number; };
    readonly body: undefined;
    readonly answer: readonly CurrencyUnit[];
    readonly once: false;
  };
  /** List the account's devices. */
  "GET /v1/devices": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Device[];
    readonly once: false;
  };
  /** Revoke a device of the account for good. */
  "DELETE /v1/devices/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** List the account's drafts of listings, most recently changed first. */
  "GET /v1/drafts": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Draft[];
    readonly once: false;
  };
  /** Remove a draft. */
  "DELETE /v1/drafts/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get a draft. */
  "GET /v1/drafts/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: Draft;
    readonly once: false;
  };
  /** Keep the content of a listing under a name; it is checked when it is published. */
  "PUT /v1/drafts/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: DraftContentInput;
    readonly answer: Draft;
    readonly once: false;
  };
  /** Receive events over a WebSocket: the account's, or those of records the node receives. */
  "GET /v1/events": {
    readonly path: null;
    readonly query: { readonly after?: string; readonly of?: "account" | "records"; readonly as?: string; };
    readonly body: undefined;
    readonly answer: Event;
    readonly once: false;
  };
  /** Add an account whose key is in a wallet outside the node, with its signed statement. */
  "POST /v1/external-accounts": {
    readonly path: null;
    readonly query: null;
    readonly body: ExternalAccountCreation;
    readonly answer: Account;
    readonly once: false;
  };
  /** Get the statement that the owner of a key signs, so that this node keeps an account for it whose key stays in a wallet outside the node. */
  "POST /v1/external-accounts/statement": {
    readonly path: null;
    readonly query: null;
    readonly body: ExternalAccountRequest;
    readonly answer: ExternalAccountStatement;
    readonly once: false;
  };
  /** List the account's favourites, most recently saved first. */
  "GET /v1/favourites": {
    readonly path: null;
    readonly query: { readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly SavedListing[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Remove a favourite, which words of its title name among the favourites. */
  "DELETE /v1/favourites/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Save a listing among the account's favourites; a second time changes nothing. */
  "PUT /v1/favourites/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: SavedListing;
    readonly once: false;
  };
  /** List the listings and accounts hidden from the account, by whom and why. */
  "GET /v1/hidden": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly HiddenEntry[];
    readonly once: false;
  };
  /** List nodes that keep the account's mail. */
  "GET /v1/homes": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Home[];
    readonly once: false;
  };
  /** Ask a node to keep the account's mail. */
  "POST /v1/homes": {
    readonly path: null;
    readonly query: null;
    readonly body: HomeRequest;
    readonly answer: Home;
    readonly once: false;
  };
  /** Stop a node, named by its peer id, from keeping the account's mail. */
  "DELETE /v1/homes/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Look for listings and tokens with an identifier, before you list an item. */
  "GET /v1/identifiers": {
    readonly path: null;
    readonly query: { readonly identifier?: string; readonly chain?: number; };
    readonly body: undefined;
    readonly answer: IdentifierCheck;
    readonly once: false;
  };
  /** Get the history of one token, of the tokens that were sold for an identifier, or of the account's own tokens; give one of the three. */
  "GET /v1/items": {
    readonly path: null;
    readonly query: { readonly token?: string; readonly identifier?: string; readonly own?: boolean; readonly chain?: number; };
    readonly body: undefined;
    readonly answer: readonly Item[];
    readonly once: false;
  };
  /** Give a token of the account to another account. */
  "POST /v1/items/give": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: Gift;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate giving a token to another account: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/items/give/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: Gift;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Search listings; over=true includes sold and ended ones. Prices, and sorting by them, need a currency: 'native' or a token's address. */
  "GET /v1/listings": {
    readonly path: null;
    readonly query: { readonly search?: string; readonly category?: string; readonly tag?: string; readonly author?: string; readonly chain?: number; readonly currency?: string; readonly priceMin?: string; readonly priceMax?: string; readonly payment?: "auction" | "direct" | "enrolment" | "escrow"; readonly delivery?: "shipping" | "pickup" | "online"; readonly shipsTo?: string; readonly toMe?: boolean; readonly sort?: "relevance" | "newest" | "oldest" | "cheapest" | "costliest" | "ending" | "nearest" | "popular"; readonly near?: string; readonly within?: number; readonly stars?: number; readonly over?: boolean; readonly hidden?: boolean; readonly count?: boolean; readonly facets?: boolean; readonly limit?: number; readonly after?: string; readonly sellers?: boolean; };
    readonly body: undefined;
    readonly answer: {
      /** The block up to which all is shown, while later final ones are not read. Absent if nothing is missing. */
      readonly completeTo?: number | null;
      /** The text that was searched for instead, because no listing has a word of 'search'. */
      readonly corrected?: string | null;
      /** The matches by their properties, if 'facets=true' asked for them. */
      readonly facets?: ListingFacets | null;
      readonly isLast: boolean;
      /** Whether listings are missing while the index is rebuilt. */
      readonly isPartial?: boolean | null;
      readonly items: readonly Listing[];
      readonly next?: string | null;
      /** The number of matches, with all words of 'search', if 'count=true' asked for it. */
      readonly total?: number | null;
      /** Whether more than 'total' can match. */
      readonly totalIsLowerBound?: boolean | null;
      /** How many of the items, from the first on, have all words of 'search'; the others have some of them. Absent if all have. */
      readonly withAllWords?: number | null;
    };
    readonly once: false;
  };
  /** List an item for sale: mints its token, locks the deposit, publishes the listing. */
  "POST /v1/listings": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: ListingContentInput;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate listing an item: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/listings/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: ListingContentInput;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Complete a text as it is typed, with words from listing titles. */
  "GET /v1/listings/suggestions": {
    readonly path: null;
    readonly query: { readonly search?: string; };
    readonly body: undefined;
    readonly answer: readonly ListingSuggestion[];
    readonly once: false;
  };
  /** Withdraw a listing. */
  "DELETE /v1/listings/{id}": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; readonly acceptsOneSource?: boolean; };
    readonly body: undefined;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Get a listing. */
  "GET /v1/listings/{id}": {
    readonly path: { readonly id: string; };
    readonly query: { readonly onSale?: boolean; readonly own?: boolean; };
    readonly body: undefined;
    readonly answer: Listing;
    readonly once: false;
  };
  /** Change a listing. Another price withdraws its sale and lists the item again, in one operation. */
  "PUT /v1/listings/{id}": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; readonly acceptsOneSource?: boolean; };
    readonly body: ListingContentInput;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Ship to one buyer despite the listing's limits; the buyer gets sealed mail about it. */
  "POST /v1/listings/{id}/exceptions": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: ShippingException;
    readonly answer: Message;
    readonly once: true;
  };
  /** Withdraw the account's offer for a listing, unless the seller has accepted it. */
  "DELETE /v1/listings/{id}/offers": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: Message;
    readonly once: true;
  };
  /** Offer the seller of a listing another price, in sealed mail; a new offer replaces the account's earlier one. */
  "POST /v1/listings/{id}/offers": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: PriceOfferDraft;
    readonly answer: Message;
    readonly once: true;
  };
  /** Estimate offering another price: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/listings/{id}/offers/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: PriceOfferDraft;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List more pieces of what a listing offers, or withdraw free ones, in one operation. */
  "POST /v1/listings/{id}/pieces": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; readonly acceptsOneSource?: boolean; };
    readonly body: PieceChange;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate changing the number of pieces: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/listings/{id}/pieces/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: PieceChange;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Estimate changing a listing: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/listings/{id}/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: ListingContentInput;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List an item again as before it was reserved for a buyer who has not paid in time. */
  "POST /v1/listings/{id}/reopening": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; readonly acceptsOneSource?: boolean; };
    readonly body: undefined;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate listing an item again as before it was reserved: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/listings/{id}/reopening/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: undefined;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Estimate withdrawing a listing: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/listings/{id}/withdraw/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: undefined;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List the pictures and documents that the account added, by their ids. */
  "GET /v1/media": {
    readonly path: null;
    readonly query: { readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly AddedMedia[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Add a picture or a document of at most 15 MiB, which is the body; a picture is re-encoded, without its location and other camera data. */
  "POST /v1/media": {
    readonly path: null;
    readonly query: null;
    readonly body: Blob;
    readonly answer: MediaFile;
    readonly once: false;
  };
  /** Keep a picture or a document no longer, which nothing names that the account has published. */
  "DELETE /v1/media/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get a picture or a document, or with 'size' a smaller version of a picture; ranges and conditions are followed. A file that is not here yet is fetched behind the answer, and an event 'media' tells that it has come. */
  "GET /v1/media/{id}": {
    readonly path: { readonly id: string; };
    readonly query: { readonly size?: 160 | 640; readonly wait?: boolean; readonly as?: string; };
    readonly body: undefined;
    readonly answer: Blob;
    readonly once: false;
  };
  /** List the names of accounts that the caller can use: its contacts and, on the node's own machine, this node's accounts. */
  "GET /v1/names": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly AccountName[];
    readonly once: false;
  };
  /** Get the node's status; an account elsewhere gets it without addresses. */
  "GET /v1/node": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: NodeStatus;
    readonly once: false;
  };
  /** List the offers that the account has received and made, newest first, at most 256. */
  "GET /v1/offers": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly PriceOffer[];
    readonly once: false;
  };
  /** Accept an offer: the listing's sale is withdrawn, and the item listed again at the offered price for that buyer alone. */
  "POST /v1/offers/{id}/acceptance": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; readonly acceptsOneSource?: boolean; };
    readonly body: OfferAcceptance;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate accepting an offer: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/offers/{id}/acceptance/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: OfferAcceptance;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Get this document. */
  "GET /v1/openapi.json": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: Readonly<Record<string, unknown>>;
    readonly once: false;
  };
  /** List the account's operations, newest first. */
  "GET /v1/operations": {
    readonly path: null;
    readonly query: { readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Operation[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Get an operation. */
  "GET /v1/operations/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: Operation;
    readonly once: false;
  };
  /** Cancel the transaction that waits to be mined, or drop one that is not signed yet. */
  "POST /v1/operations/{id}/cancel": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: undefined;
    readonly answer: Operation;
    readonly once: false;
  };
  /** Estimate cancelling a waiting transaction: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/operations/{id}/cancel/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: undefined;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Speed up the transaction that waits to be mined, by paying more for it. */
  "POST /v1/operations/{id}/speed-up": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: undefined;
    readonly answer: Operation;
    readonly once: false;
  };
  /** Estimate speeding up a waiting transaction: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/operations/{id}/speed-up/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: undefined;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List the peers this node knows. */
  "GET /v1/peers": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Peer[];
    readonly once: false;
  };
  /** Connect to a peer, and stay connected while the node runs. */
  "POST /v1/peers": {
    readonly path: null;
    readonly query: null;
    readonly body: PeerAddress;
    readonly answer: Peer;
    readonly once: false;
  };
  /** Find towns by the beginning of their name, those of exactly that name first, then larger before smaller ones; or those nearest to a point. */
  "GET /v1/places": {
    readonly path: null;
    readonly query: { readonly search?: string; readonly near?: string; readonly lang?: "en" | "ko"; readonly limit?: number; };
    readonly body: undefined;
    readonly answer: readonly Place[];
    readonly once: false;
  };
  /** Change the account's public profile; fields that are left out keep their values. */
  "PUT /v1/profile": {
    readonly path: null;
    readonly query: null;
    readonly body: ProfileChange;
    readonly answer: AccountProfile;
    readonly once: false;
  };
  /** Get an account's public profile, by its address or name. */
  "GET /v1/profiles/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: AccountProfile;
    readonly once: false;
  };
  /** Get the parts of the account that this node has found or not found, and why. */
  "GET /v1/recovery": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: RecoveryReport;
    readonly once: false;
  };
  /** List the account's received reports, newest first; sent=true lists its own. */
  "GET /v1/reports": {
    readonly path: null;
    readonly query: { readonly sent?: boolean; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Report[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Report a listing, a review or an account to the account that the node's operator names, or tell it something about the node, as sealed mail. */
  "POST /v1/reports": {
    readonly path: null;
    readonly query: null;
    readonly body: ReportDraft;
    readonly answer: Report;
    readonly once: true;
  };
  /** Get an account's record on the chains, and the average of its reviews. */
  "GET /v1/reputation": {
    readonly path: null;
    readonly query: { readonly account?: string; };
    readonly body: undefined;
    readonly answer: Reputation;
    readonly once: false;
  };
  /** List the reviews of a listing, an account or a sale, newest first. */
  "GET /v1/reviews": {
    readonly path: null;
    readonly query: { readonly listing?: string; readonly account?: string; readonly sale?: string; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Review[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Review a finished sale. */
  "POST /v1/reviews": {
    readonly path: null;
    readonly query: null;
    readonly body: ReviewDraft;
    readonly answer: Review;
    readonly once: false;
  };
  /** Estimate a review: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/reviews/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: ReviewDraft;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Search listings as 'listings' does, and get of each what a row of a list shows, in at most 1,200 bytes. */
  "GET /v1/rows": {
    readonly path: null;
    readonly query: { readonly search?: string; readonly category?: string; readonly tag?: string; readonly author?: string; readonly chain?: number; readonly currency?: string; readonly priceMin?: string; readonly priceMax?: string; readonly payment?: "auction" | "direct" | "enrolment" | "escrow"; readonly delivery?: "shipping" | "pickup" | "online"; readonly shipsTo?: string; readonly toMe?: boolean; readonly sort?: "relevance" | "newest" | "oldest" | "cheapest" | "costliest" | "ending" | "nearest" | "popular"; readonly near?: string; readonly within?: number; readonly stars?: number; readonly over?: boolean; readonly hidden?: boolean; readonly count?: boolean; readonly facets?: boolean; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      /** The block up to which all is shown, while later final ones are not read. Absent if nothing is missing. */
      readonly completeTo?: number | null;
      /** The text that was searched for instead, because no listing has a word of 'search'. */
      readonly corrected?: string | null;
      /** The matches by their properties, if 'facets=true' asked for them. */
      readonly facets?: ListingFacets | null;
      readonly isLast: boolean;
      /** Whether listings are missing while the index is rebuilt. */
      readonly isPartial?: boolean | null;
      readonly items: readonly ListingRow[];
      readonly next?: string | null;
      /** The number of matches, with all words of 'search', if 'count=true' asked for it. */
      readonly total?: number | null;
      /** Whether more than 'total' can match. */
      readonly totalIsLowerBound?: boolean | null;
      /** How many of the items, from the first on, have all words of 'search'; the others have some of them. Absent if all have. */
      readonly withAllWords?: number | null;
    };
    readonly once: false;
  };
  /** List the account's sales, most recently changed first. */
  "GET /v1/sales": {
    readonly path: null;
    readonly query: { readonly list?: "running" | "bids" | "postings" | "purchases" | "sold" | "to_review" | "to_send" | "to_collect"; readonly phase?: "ready" | "bid" | "aborted" | "sold" | "unsold" | "open" | "begun" | "cancelled" | "settled" | "listed" | "paid" | "transferred" | "disputed" | "declined" | "refunded" | "complete"; readonly byDeadline?: boolean; readonly replaced?: boolean; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Sale[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Buy a listing, bid for it, or take a seat in it. */
  "POST /v1/sales": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: Purchase;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate buying: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/sales/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: Purchase;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Get a sale, as this node reads it from the chain. */
  "GET /v1/sales/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: Sale;
    readonly once: false;
  };
  /** Tell the seller of a sale, sealed, where to send the item. */
  "POST /v1/sales/{id}/address": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: AddressDisclosure;
    readonly answer: Message;
    readonly once: true;
  };
  /** Get the teacher's own list of a round: who was present in which session, and notes. */
  "GET /v1/sales/{id}/attendance": {
    readonly path: { readonly id: string; };
    readonly query: { readonly round?: number; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Attendance[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Change the teacher's own list of a round; the same change again changes nothing. */
  "PUT /v1/sales/{id}/attendance": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: AttendanceMarks;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Make a move in a sale. */
  "POST /v1/sales/{id}/moves": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: SaleMove;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate a move in a sale: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/sales/{id}/moves/preview": {
    readonly path: { readonly id: string; };
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: SaleMove;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** Get a picture of a note in a sale, decrypted and re-encoded, if the account has sent or received the note. */
  "GET /v1/sales/{id}/picture": {
    readonly path: { readonly id: string; };
    readonly query: { readonly picture?: string; readonly as?: string; };
    readonly body: undefined;
    readonly answer: Blob;
    readonly once: false;
  };
  /** Get the content with which the account can sell again what it bought: words, files, type, identifier and token, without a price and terms. */
  "GET /v1/sales/{id}/resale": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: DraftContent;
    readonly once: false;
  };
  /** Tell the buyer, sealed, that the item was sent, or is ready to be picked up, if the sale ended with its payment; in others the move 'transfer' does. The same again changes nothing. */
  "PUT /v1/sales/{id}/sent": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: SentNotice;
    readonly answer: undefined;
    readonly once: false;
  };
  /** List the students of a round, who are public on the chain; the last round without 'round'. */
  "GET /v1/sales/{id}/students": {
    readonly path: { readonly id: string; };
    readonly query: { readonly round?: number; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly Student[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Get the file that the account bought, once the seller has delivered its key; it is checked against its identifier. */
  "GET /v1/sales/{id}/work": {
    readonly path: { readonly id: string; };
    readonly query: { readonly as?: string; };
    readonly body: undefined;
    readonly answer: Blob;
    readonly once: false;
  };
  /** List the account's saved searches, most recently saved first. */
  "GET /v1/searches": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly SavedSearch[];
    readonly once: false;
  };
  /** Remove a saved search. */
  "DELETE /v1/searches/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Save a search under a name; each new match is reported as an event 'listing_found'. */
  "PUT /v1/searches/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: SearchTermsInput;
    readonly answer: SavedSearch;
    readonly once: false;
  };
  /** List the account's sessions on this node, the newest first. */
  "GET /v1/sessions": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly OpenSession[];
    readonly once: false;
  };
  /** Sign in: unlocks the account and returns a session token. */
  "POST /v1/sessions": {
    readonly path: null;
    readonly query: null;
    readonly body: SignIn;
    readonly answer: Session;
    readonly once: false;
  };
  /** Get a code that opens the operator's session on the page, once, within a minute. */
  "POST /v1/sessions/codes": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: PageCode;
    readonly once: false;
  };
  /** Sign out. */
  "DELETE /v1/sessions/current": {
    readonly path: null;
    readonly query: { readonly everySession?: boolean; };
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get the session: its account and its end. It does not keep it from going idle. */
  "GET /v1/sessions/current": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: CurrentSession;
    readonly once: false;
  };
  /** Give the password again, so that the page's session can move money for some minutes. */
  "POST /v1/sessions/current/confirmation": {
    readonly path: null;
    readonly query: null;
    readonly body: PasswordProof;
    readonly answer: CurrentSession;
    readonly once: false;
  };
  /** Open the operator's session on the page with a code of 'sessions/codes'. */
  "POST /v1/sessions/operator": {
    readonly path: null;
    readonly query: null;
    readonly body: PageCodeProof;
    readonly answer: OperatorSession;
    readonly once: false;
  };
  /** List what waits for a signature of the account's wallet outside the node, the oldest first. */
  "GET /v1/signatures": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly SignatureRequest[];
    readonly once: false;
  };
  /** Get an operation's signature request: a transaction or typed data, and its meaning in words. */
  "GET /v1/signatures/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: SignatureRequest;
    readonly once: false;
  };
  /** Submit the wallet's answer for an operation: the signature, the signed transaction, or the hash of the transaction that it has sent. */
  "POST /v1/signatures/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: SignatureAnswer;
    readonly answer: Operation;
    readonly once: false;
  };
  /** List the lists that the account follows. */
  "GET /v1/subscriptions": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Curation[];
    readonly once: false;
  };
  /** Follow a list: it hides listings from the account. */
  "POST /v1/subscriptions": {
    readonly path: null;
    readonly query: null;
    readonly body: Subscription;
    readonly answer: Curation;
    readonly once: false;
  };
  /** Stop following a list. */
  "DELETE /v1/subscriptions/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Get the account's balances and credits on a chain. */
  "GET /v1/wallet": {
    readonly path: null;
    readonly query: { readonly chain?: number; };
    readonly body: undefined;
    readonly answer: Wallet;
    readonly once: false;
  };
  /** Resume sending after another program used the account's key. */
  "POST /v1/wallet/acknowledge": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Collect credits: all of them, those of one currency, or a part of these. */
  "POST /v1/wallet/collect": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: CreditCollection;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate collecting credits: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/wallet/collect/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: CreditCollection;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List the final movements of the account's money, newest first. */
  "GET /v1/wallet/history": {
    readonly path: null;
    readonly query: { readonly chain?: number; readonly limit?: number; readonly after?: string; };
    readonly body: undefined;
    readonly answer: {
      readonly isLast: boolean;
      readonly items: readonly WalletMovement[];
      readonly next?: string | null;
    };
    readonly once: false;
  };
  /** Send money from the account to another account; the amount 'max' sends its whole balance, less the fee. */
  "POST /v1/wallet/send": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: Transfer;
    readonly answer: Operation;
    readonly once: true;
  };
  /** Estimate sending money: gas, fee, deposit, total, returns and their times, and the content to sign. Nothing is signed. */
  "POST /v1/wallet/send/preview": {
    readonly path: null;
    readonly query: { readonly feeMax?: string; readonly feeSpeed?: "slow" | "normal" | "fast"; };
    readonly body: Transfer;
    readonly answer: ActionPreview;
    readonly once: false;
  };
  /** List the digital works that the account made or bought, on any of its nodes. */
  "GET /v1/works": {
    readonly path: null;
    readonly query: null;
    readonly body: undefined;
    readonly answer: readonly Work[];
    readonly once: false;
  };
  /** Add a digital work of at most 15 MiB less 28 bytes, which is the body; it is kept encrypted. */
  "POST /v1/works": {
    readonly path: null;
    readonly query: { readonly name?: string; };
    readonly body: Blob;
    readonly answer: Work;
    readonly once: false;
  };
  /** Remove a digital work from all nodes of the account, unless a sale needs it. */
  "DELETE /v1/works/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: undefined;
    readonly answer: undefined;
    readonly once: false;
  };
  /** Rename a digital work; later buyers get the new name. */
  "PUT /v1/works/{id}": {
    readonly path: { readonly id: string; };
    readonly query: null;
    readonly body: WorkName;
    readonly answer: Work;
    readonly once: false;
  };
}
