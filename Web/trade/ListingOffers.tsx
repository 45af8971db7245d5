import type { Listing } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Notice } from "../shared/parts/Notice";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The only account that can buy a listing; null if everybody can. */
export function reservedFor({ content }: Listing): string | null {
  return content.terms?.buyer ?? content.direct?.buyer ?? null;
}

/** The way to offer another price, and how far the reader's own offer is; for the seller, the offers that wait. */
export function ListingOffers({ listing }: { readonly listing: Listing }) {
  const words = useWords();
  const own = useStore(session)?.account.address.toLowerCase();
  const { content } = listing;
  const isFixed = content.payment !== "escrow" && content.payment !== "direct";
  const found = useCall("GET /v1/offers", own === undefined || isFixed ? null : {}, ["message", "sale", "operation"]);
  if (isFixed || listing.state !== "open") return null;
  const isSeller = own === listing.author.toLowerCase();
  const here = (found.answer ?? []).filter((one) => one.listing === listing.id);
  if (isSeller) {
    const open = here.filter((one) => one.state === "open").length;
    return open === 0 ? null : <p><Link to="/offers" className="button full">{words.say("page.openOffers", { count: open })}</Link></p>;
  }
  const mine = here.find((one) => one.buyer.toLowerCase() === own && (one.state === "open" || one.state === "accepted"));
  if (mine !== undefined) {
    const end = mine.state === "accepted" ? mine.payUntil : mine.until;
    return (
      <Notice kind={mine.state === "accepted" ? "good" : "plain"}>
        <p>
          {words.say(mine.state === "accepted" ? "page.offerAccepted" : "page.ownOffer")}{" "}
          <span className="strong"><Money {...mine.price} chain={mine.chain} rounding="whole" /></span>
        </p>
        {end != null && (
          <p className="soft note">{words.say(mine.state === "accepted" ? "page.payUntil" : "page.acceptUntil")} <Time at={end} /></p>
        )}
        <p><Link to="/offers">{words.say("page.priceOffers")}</Link></p>
      </Notice>
    );
  }
  if ((listing.pieces?.total ?? 1) > 1 || reservedFor(listing) !== null) return null;
  return <Link to={`/listings/${listing.id}/offer`} className="button full">{words.say("page.offerPrice")}</Link>;
}
