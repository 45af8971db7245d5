import { lazy, Suspense } from "react";
import type { Listing } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Link } from "../shared/parts/Link";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { ListingAuction } from "../trade/ListingAuction";
import { ListingOffers, reservedFor } from "../trade/ListingOffers";
import { Reserved } from "../trade/Reserved";
import { CartButton } from "./CartButton";
import { DepositNote } from "./DepositNote";
import { FavouriteButton } from "./FavouriteButton";
import { PriceLine } from "./PriceLine";

const OwnListing = lazy(() => import("../sell/OwnListing"));
const ShareButton = lazy(() => import("../sell/ShareButton"));

interface Props {
  readonly listing: Listing;
  readonly again: () => void;
}

/** The price, what one locks beside it, and the way to buy. */
export function BuyPanel({ listing, again }: Props) {
  const words = useWords();
  const own = useStore(session)?.account.address;
  const { content } = listing;
  const chain = listing.anchor?.chain ?? content.chain ?? undefined;
  const isCourse = content.payment === "enrolment";
  const isEnrolled = listing.own === "student";
  const isOwn = own !== undefined && own.toLowerCase() === listing.author.toLowerCase();
  const isOpen = listing.state === "open";
  const buyer = reservedFor(listing) ?? undefined;
  const canBuy = isOpen && !isOwn && (buyer === undefined || buyer.toLowerCase() === own?.toLowerCase());
  const isFixed = content.payment === "escrow" || content.payment === "direct";
  return (
    <div className="stack">
      {content.payment === "auction" ? <ListingAuction listing={listing} again={again} /> : <PriceLine listing={listing} />}
      {(!isOpen || content.payment !== "auction") && (
        <p>
          <span className={`state${isOpen ? " good" : ""}`}>{words.alone(words.said(listing.status))}</span>
          {isOpen && listing.endsAt != null && (
            <span className="soft note"> {words.say(isCourse ? "page.startsAt" : "page.ends")} <Time at={listing.endsAt} as="distance" /></span>
          )}
        </p>
      )}
      {canBuy && <DepositNote content={content} chain={chain} />}
      <div className="stack close">
        {isEnrolled && <p className="strong">{words.say("page.youAreEnrolled")}</p>}
        {canBuy && !isEnrolled && (
          <Link to={`/listings/${listing.id}/buy`} className="button main-action full">{buyWords(words, content.payment)}</Link>
        )}
        {isOpen && buyer !== undefined && !canBuy && <Reserved buyer={buyer} />}
        <ListingOffers listing={listing} />
        {canBuy && isFixed && <CartButton listing={listing.id} />}
        {isOwn && <Suspense fallback={null}><OwnListing listing={listing} /></Suspense>}
        {listing.own != null && listing.anchor != null && (!isOpen || isCourse || content.payment === "auction") && (
          <Link to={`/sales/${listing.anchor.sale}`} className="button full">{words.say(isCourse ? "page.toCourse" : "page.toSale")}</Link>
        )}
        <div className="beside">
          {!isOwn && <FavouriteButton listing={listing.id} price={listing.price ?? content.price} />}
          <Suspense fallback={null}><ShareButton listing={listing} /></Suspense>
        </div>
        {listing.state === "unknown" && <p><Button isSmall onClick={again}>{words.say("page.tryAgain")}</Button></p>}
      </div>
    </div>
  );
}

function buyWords(words: ReturnType<typeof useWords>, payment: string): string {
  if (payment === "auction") return words.say("page.bid");
  return words.say(payment === "enrolment" ? "page.enrol" : "page.buy");
}
