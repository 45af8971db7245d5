import type { Listing } from "../shared/api";
import { Money } from "../shared/parts/Money";
import { useWords } from "../shared/words";

/** The price as somebody pays it now: of an auction the highest bid, or the first one that is accepted. */
export function PriceLine({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const { content, highestBid, minimalBid } = listing;
  const chain = listing.anchor?.chain ?? content.chain ?? undefined;
  const price = listing.price ?? content.price;
  const next = minimalBid == null ? null : words.money(minimalBid.amount, minimalBid.currency, chain, "up");
  const isAuction = content.payment === "auction";
  return (
    <div>
      {isAuction && <p className="soft note">{words.say(highestBid == null ? "page.firstBid" : "page.highestBid")}</p>}
      <p className="price"><Money amount={price.amount} currency={price.currency} chain={chain} rounding="up" /></p>
      {isAuction && (listing.bids ?? 0) > 0 && (
        <p className="soft note">
          {words.say("page.bids", { count: listing.bids ?? 0 })}
          {highestBid != null && next !== null && ` · ${words.say("page.nextBid", { amount: next })}`}
        </p>
      )}
      {content.payment === "enrolment" && <p className="soft note">{words.say("page.seatPrice")}</p>}
    </div>
  );
}
