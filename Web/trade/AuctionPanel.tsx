import type { Money as MoneyAmount, Sale } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { Person } from "../shared/parts/Person";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { Countdown } from "./Countdown";

/** How an auction stands, from its sale or from its listing. */
export interface AuctionStand {
  readonly chain: number | undefined;
  readonly endsAt: string | null;
  readonly isOver: boolean;
  /** The first bid that is taken, while there is none. */
  readonly first: MoneyAmount;
  readonly highest: MoneyAmount | null;
  readonly bidder: string | null;
  readonly bids: number;
  /** The lowest next bid. */
  readonly next: MoneyAmount | null;
}

/** How an auction stands by its sale. */
export function standOf(sale: Sale): AuctionStand | null {
  const { auction, price: { currency } } = sale;
  if (auction == null) return null;
  const money = (amount: string | null | undefined): MoneyAmount | null => (amount == null ? null : { amount, currency });
  return {
    chain: sale.chain, endsAt: auction.endsAt, isOver: sale.stage === "over", first: { amount: auction.startingBid, currency },
    highest: money(auction.highestBid?.amount), bidder: auction.highestBid?.bidder ?? null,
    bids: sale.history.filter((step) => step.move === "bid").length, next: auction.isOpen ? money(auction.minimalBid) : null,
  };
}

interface Props {
  readonly of: AuctionStand;
  /** The chain's time in milliseconds; null while it is not known. */
  readonly now: number | null;
}

/** The highest bid, how many there are, the lowest next one, and how long until the end on the chain's clock. */
export function AuctionPanel({ of, now }: Props) {
  const words = useWords();
  const own = useStore(session)?.account.address.toLowerCase();
  const shown = of.highest ?? of.first;
  const isLeading = own !== undefined && of.bidder?.toLowerCase() === own;
  const next = of.next === null ? null : words.money(of.next.amount, of.next.currency, of.chain, "up");
  return (
    <div className="auction">
      <div className="stack close" aria-live="polite">
        <p className="soft note auction-name">{words.say(of.highest === null ? "page.firstBid" : of.isOver ? "page.lastBid" : "page.highestBid")}</p>
        <p className="price"><Money amount={shown.amount} currency={shown.currency} chain={of.chain} rounding="up" /></p>
        {of.bids > 0 && (
          <p className="soft note">
            {words.say("page.bids", { count: of.bids })}
            {of.highest !== null && next !== null && ` · ${words.say("page.nextBid", { amount: next })}`}
          </p>
        )}
        {of.bidder !== null && !isLeading && (
          <div className="beside note"><span className="soft">{words.say("page.bidder")}</span> <Person account={of.bidder} size="mini" /></div>
        )}
      </div>
      {of.endsAt !== null && !of.isOver && (
        <div className="stack close">
          <p className="soft note auction-name">{words.say("page.biddingEndsIn")}</p>
          {now !== null && <p className="price"><Countdown end={of.endsAt} now={now} /></p>}
          <p className="soft small"><Time at={of.endsAt} /></p>
        </div>
      )}
    </div>
  );
}
