import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Icon } from "../shared/parts/Icon";
import { Notice } from "../shared/parts/Notice";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { Facets } from "./Facets";
import { Filters } from "./Filters";
import { ListingCard } from "./ListingCard";
import { NothingFound } from "./NothingFound";
import { Pager } from "./Pager";
import { SaveSearch } from "./SaveSearch";
import { SortField } from "./SortField";
import { termsOf } from "./searchTerms";

interface Props {
  /** The path of the screen. */
  readonly base: string;
  readonly query: URLSearchParams;
  /** The category of the screen itself. */
  readonly category?: string;
}

/** How many listings one page of results has: at most this many stand in the document. */
const pageSize = 48;

/** The listings that a search finds, what narrows it, and its order. */
export function Results({ base, query, category }: Props) {
  const words = useWords();
  const [asksFilters, setAsksFilters] = useState(false);
  const terms = { ...termsOf(query), ...(category === undefined ? {} : { category }) };
  // The former listings stay until the next ones are here, so that nothing jumps.
  const found = useLastAnswer(useCall("GET /v1/rows", {
    query: { ...terms, limit: pageSize, count: true, facets: true },
  }, ["listing", "listing_withdrawn"]));
  const facets = found.answer?.facets;
  const filters = facets && <Facets base={base} query={query} facets={facets} hasCategory={category !== undefined} />;
  return (
    <Shown of={found}>
      {(page) => (
        <div className="results" aria-busy={found.isReading}>
          <aside className="results-side" aria-label={words.say("page.filters")}>{filters}</aside>
          <div className="stack">
            <div className="beside apart">
              <p className="soft numbers" role="status">
                {words.say(page.totalIsLowerBound === true ? "page.foundAtLeast" : "page.found",
                  { count: page.total ?? page.items.length })}
              </p>
              <div className="beside">
                <Button isSmall className="narrow-only" onClick={() => setAsksFilters(true)}>
                  <Icon name="filter" />{words.say("page.filters")}
                </Button>
                <SaveSearch terms={terms} />
                <SortField base={base} query={query} currency={facets?.prices[0]?.currency} />
              </div>
            </div>
            <Filters base={base} query={query} />
            {page.corrected != null && <Notice><p>{words.say("page.corrected", { text: page.corrected })}</p></Notice>}
            {page.isPartial === true && <Notice kind="warn"><p>{words.say("page.indexRebuilt")}</p></Notice>}
            {page.items.length === 0
              ? <NothingFound base={base} query={query} />
              : <ul className="cards">{page.items.map((row) => <ListingCard key={row.id} row={row} />)}</ul>}
            <Pager base={base} query={query} next={page.next} />
          </div>
          {asksFilters && (
            <Dialog title={words.say("page.filters")} onClose={() => setAsksFilters(false)}>
              {filters}
              <Button look="main" onClick={() => setAsksFilters(false)}>
                {words.say("page.showFound", { count: page.total ?? page.items.length })}
              </Button>
            </Dialog>
          )}
        </div>
      )}
    </Shown>
  );
}
