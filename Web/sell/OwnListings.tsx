import { useState } from "react";
import type { ListingRow } from "../shared/api";
import { statusOf } from "../market/listingRow";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The account's own listings: those on sale, or those whose sale has ended. */
export function OwnListings({ isOver }: { readonly isOver: boolean }) {
  const words = useWords();
  const author = useStore(session)?.account.address ?? "";
  const [after, setAfter] = useState<string | undefined>(undefined);
  const query = { author, sort: "newest", over: isOver, hidden: true, limit: 40, ...(after !== undefined && { after }) } as const;
  const found = useCall("GET /v1/rows", { query }, ["sale", "operation", "listing"]);
  return (
    <Shown of={found}>
      {(page) => {
        const rows = page.items.filter((one) => !isOver || one.state === "over" || one.state === "without_sale");
        return (
          <>
            {rows.length === 0 && page.next == null && after === undefined
              ? (
                <Empty icon="tag" title={words.say(isOver ? "page.noneEnded" : "page.nonePostings")}>
                  <Link to="/sell" className="button">{words.say("page.sell")}</Link>
                </Empty>
              )
              : <ul className="rows">{rows.map((row) => <OwnRow key={row.id} row={row} />)}</ul>}
            <div className="beside">
              {after !== undefined && <Button onClick={() => setAfter(undefined)}>{words.say("page.firstPage")}</Button>}
              {page.next != null && <Button onClick={() => setAfter(page.next ?? undefined)}>{words.say("page.nextPage")}</Button>}
            </div>
          </>
        );
      }}
    </Shown>
  );
}

function OwnRow({ row }: { readonly row: ListingRow }) {
  const words = useWords();
  return (
    <Row to={`/listings/${row.id}`} title={<bdi>{row.title}</bdi>} picture={row.picture?.id ?? null} end={
      <>
        <span className="strong"><Money amount={row.price.amount} currency={row.price.currency} chain={row.chain} /></span>
        {row.state === "open" && row.endsAt != null && <span className="soft small">{words.say("page.ends")} <Time at={row.endsAt} as="distance" /></span>}
      </>
    }>
      <span className="note">
        <span className={row.state === "open" ? "state good" : "state"}>{words.alone(words.said(statusOf(row)))}</span>
        <span className="soft"> {words.alone(words.named("payment", row.payment))}</span>
      </span>
    </Row>
  );
}
