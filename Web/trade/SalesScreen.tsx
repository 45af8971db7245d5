import { useState } from "react";
import type { Calls, Sale } from "../shared/api";
import type { PlainCode } from "../shared/words";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { SaleRow } from "./SaleRow";

type List = NonNullable<NonNullable<Calls["GET /v1/sales"]["query"]>["list"]>;

interface Kind {
  readonly list: List;
  readonly name: PlainCode;
  /** What stands there if it has no sale, and where to go. */
  readonly none: PlainCode;
  readonly to: string;
  readonly action: PlainCode;
}

const first: Kind = { list: "running", name: "page.listRunning", none: "page.noneRunning", to: "/search", action: "page.allListings" };
const kinds: readonly Kind[] = [
  first,
  { list: "bids", name: "page.listBids", none: "page.noneBids", to: "/search?payment=auction", action: "page.allAuctions" },
  { list: "postings", name: "page.listPostings", none: "page.nonePostings", to: "/sell", action: "page.sell" },
  { list: "purchases", name: "page.listPurchases", none: "page.nonePurchases", to: "/search", action: "page.allListings" },
  { list: "sold", name: "page.listSold", none: "page.noneSold", to: "/sell", action: "page.sell" },
  { list: "to_send", name: "page.listToSend", none: "page.noneToSend", to: "/sales", action: "page.listRunning" },
  { list: "to_review", name: "page.listToReview", none: "page.noneToReview", to: "/sales?list=purchases", action: "page.listPurchases" },
  { list: "to_collect", name: "page.listToCollect", none: "page.noneToCollect", to: "/wallet", action: "page.toWallet" },
];

/** The account's sales in lists: what runs, what it offers, what it bought and sold, and what it can collect. */
export default function SalesScreen({ query }: ScreenProps) {
  const words = useWords();
  const chosen = kinds.find((one) => one.list === query.get("list")) ?? first;
  return (
    <div className="stack">
      <Title text={words.say("page.mySales")}><Link to="/sell" className="button small">{words.say("page.sell")}</Link></Title>
      <nav className="strip" aria-label={words.say("page.lists")}>
        {kinds.map((one) => (
          <Link key={one.list} to={one === first ? "/sales" : `/sales?list=${one.list}`} className="pill" aria-current={one === chosen}>
            {words.say(one.name)}
          </Link>
        ))}
        <Link to="/offers" className="pill">{words.say("page.priceOffers")}</Link>
      </nav>
      <SaleList key={chosen.list} kind={chosen} />
    </div>
  );
}

/** One of the lists, a page at a time. */
function SaleList({ kind }: { readonly kind: Kind }) {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  // What runs stands in the order of its deadlines.
  const query = { list: kind.list, limit: 20, ...(kind.list === "running" && { byDeadline: true }), ...(after !== undefined && { after }) };
  const found = useCall("GET /v1/sales", { query }, ["sale", "operation", "deadline"]);
  return (
    <Shown of={found}>
      {(page) => page.items.length === 0 && after === undefined
        ? <Empty icon="trade" title={words.say(kind.none)}><Link to={kind.to} className="button">{words.say(kind.action)}</Link></Empty>
        : (
          <>
            <ul className="rows">{ownTurnFirst(page.items).map((sale) => <SaleRow key={sale.id} sale={sale} />)}</ul>
            {kind.list === "to_collect" && <p><Link to="/wallet" className="button">{words.say("page.toWallet")}</Link></p>}
            <div className="beside">
              {after !== undefined && <Button onClick={() => setAfter(undefined)}>{words.say("page.firstPage")}</Button>}
              {page.next != null && <Button onClick={() => setAfter(page.next ?? undefined)}>{words.say("page.nextPage")}</Button>}
            </div>
          </>
        )}
    </Shown>
  );
}

/** Sales in which it is the account's turn stand first. */
function ownTurnFirst(sales: readonly Sale[]): readonly Sale[] {
  return [...sales.filter((one) => one.isOwnTurn === true), ...sales.filter((one) => one.isOwnTurn !== true)];
}
