import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ListingHistory } from "../trade/ListingHistory";
import { CourseAbout } from "../learn/CourseAbout";
import { BuyPanel } from "./BuyPanel";
import { Documents } from "./Documents";
import { Gallery } from "./Gallery";
import { ListingFacts } from "./ListingFacts";
import { ListingNotes } from "./ListingNotes";
import { ReviewList } from "./ReviewList";
import { SellerLine } from "./SellerLine";

/** A listing: what it is, who sells it, what it costs, and what one locks. */
export default function ListingScreen({ values }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  const own = useStore(session)?.account.address;
  const found = useCall("GET /v1/listings/{id}", { path: { id }, query: {} },
    (event) => event.subject === id || event.type === "sale");
  const code = found.error?.problem?.code;
  if (found.answer === null && (code === "unknown_listing" || code === "listing_gone" || code === "not_found")) {
    return (
      <>
        <Title text={words.say("page.nothingHere")} />
        <Empty icon="tag" title={words.say("page.listingGone")}>
          <p>{found.error?.problem && words.problem(found.error.problem)}</p>
          <div className="beside">
            <Button onClick={found.again}>{words.say("page.tryAgain")}</Button>
            <Link to="/search" className="button">{words.say("page.allListings")}</Link>
          </div>
        </Empty>
      </>
    );
  }
  return (
    <Shown of={found}>
      {(listing) => (
        <article className="listing">
          <Gallery media={listing.content.media ?? []} title={listing.content.title} />
          <div className="stack listing-side">
            <Title text={listing.content.title} />
            <SellerLine account={listing.author} />
            <BuyPanel listing={listing} again={found.again} />
          </div>
          <div className="stack far listing-text">
            <ListingNotes listing={listing} />
            <p className="lines measure"><bdi>{listing.content.description}</bdi></p>
            {listing.content.type === "course" && <CourseAbout listing={listing} />}
            <Documents media={listing.content.media ?? []} />
            <ListingFacts listing={listing} />
            <ListingHistory listing={listing} />
            <ReviewList of={{ listing: listing.id }} hidesNone />
            {listing.author !== own && <p className="small"><Link to={`/report?${new URLSearchParams({ listing: listing.id })}`}>{words.say("page.reportListing")}</Link></p>}
          </div>
        </article>
      )}
    </Shown>
  );
}
