import { useId } from "react";
import { go } from "../shared/router";
import { useWords } from "../shared/words";
import { changed } from "./searchTerms";

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
  /** The currency in which most prices are: an order by price needs one. */
  readonly currency: string | undefined;
}

const byPrice = ["cheapest", "costliest"];
const orders = ["relevance", "newest", "oldest", "ending", "popular", ...byPrice];

/** The order of a search. */
export function SortField({ base, query, currency }: Props) {
  const words = useWords();
  const id = useId();
  const order = query.get("sort") ?? "relevance";
  const possible = [...orders, ...(query.has("near") ? ["nearest"] : [])].filter((one) => currency !== undefined || one === order || !byPrice.includes(one));
  return (
    <span className="beside">
      <label htmlFor={id} className="unseen">{words.say("page.order")}</label>
      <select id={id} className="control sort" value={order} onChange={(event) => {
        const sort = event.target.value;
        const needed = byPrice.includes(sort) && !query.has("currency") ? { currency: currency ?? null } : {};
        go(changed(base, query, { sort: sort === "relevance" ? null : sort, ...needed }));
      }}>
        {possible.map((one) => <option key={one} value={one}>{words.alone(words.named("sort", one))}</option>)}
      </select>
    </span>
  );
}
