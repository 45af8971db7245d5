import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ListingCard } from "./ListingCard";
import { ReviewList } from "./ReviewList";
import { SellerHead } from "./SellerHead";
import { SellerRecord } from "./SellerRecord";

/** How many of the account's listings are seen at first. */
const shownMax = 12;

/** An account as others see it: its profile, its record, what it sells, and what others say. */
export default function SellerScreen({ values }: ScreenProps) {
  const words = useWords();
  const account = values["id"] ?? "";
  const listings = useCall("GET /v1/rows", { query: { author: account, sort: "newest", limit: shownMax } },
    ["listing", "listing_withdrawn"]);
  const all = (more: Record<string, string>): string => `/search?${new URLSearchParams({ author: account, ...more })}`;
  const reputation = useCall("GET /v1/reputation", { query: { account } }, ["sale", "review"]);
  return (
    <div className="stack far">
      <SellerHead account={account} reputation={reputation.answer} />
      <section className="stack">
        <div className="beside apart">
          <h2>{words.say("page.onSale")}</h2>
          {listings.answer?.isLast === false && <Link to={all({})}>{words.say("page.showAll")}</Link>}
        </div>
        <Shown of={listings}>
          {(page) => page.items.length === 0
            ? (
              <Empty icon="tag" title={words.say("page.sellsNothing")}>
                <Link className="button" to={all({ over: "true" })}>{words.say("page.withEnded")}</Link>
              </Empty>
            )
            : <ul className="cards">{page.items.map((row) => <ListingCard key={row.id} row={row} hasSeller={false} />)}</ul>}
        </Shown>
      </section>
      <Shown of={reputation}>{(record) => <SellerRecord record={record} />}</Shown>
      <ReviewList of={{ account }} />
    </div>
  );
}
