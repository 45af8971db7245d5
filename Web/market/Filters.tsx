import { short } from "../shared/addresses";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import type { ChosenPlace } from "../shared/places";
import { useWords, type Words } from "../shared/words";
import { changed, filterNames, type TermName } from "./searchTerms";
import { useNear } from "./useNear";

/** The filters of a search, each with a way to undo it. */
export function Filters({ base, query }: { readonly base: string; readonly query: URLSearchParams }) {
  const words = useWords();
  const near = useNear(query);
  // The distance stands with the place that it is measured from.
  const set = filterNames.filter((name) => query.has(name) && name !== "within");
  if (set.length === 0) return null;
  const none = Object.fromEntries(set.map((name) => [name, null]));
  return (
    <ul className="choices" aria-label={words.say("page.filtersSet")}>
      {set.map((name) => (
        <li key={name}>
          <Link className="pill" to={changed(base, query, { [name]: null })}>
            <bdi>
              {name === "near" ? nearby(words, near, query.get("within")) : shown(words, name, query.get(name) ?? "", query.get("currency") ?? "native")}
            </bdi>
            <span className="unseen">{words.say("page.remove")}</span><Icon name="close" />
          </Link>
        </li>
      ))}
      {set.length > 1 && <li><Link className="pill" to={changed(base, query, none)}>{words.say("page.removeAll")}</Link></li>}
    </ul>
  );
}

/** An amount of an address, which can be any text. */
function amountOf(words: Words, text: string, currency: string): string {
  return /^\d+$/.test(text) ? words.money(text, currency) : text;
}

function nearby(words: Words, near: ChosenPlace | null, within: string | null): string {
  const place = near?.name ?? "";
  return words.alone(within === null ? words.say("page.nearPlace", { place }) : words.say("page.withinOf", { distance: within, place }));
}

function shown(words: Words, name: TermName, value: string, currency: string): string {
  switch (name) {
    case "category": case "payment": case "delivery": return words.alone(words.named(name, value));
    case "author": return short(value);
    case "priceMin": return words.alone(words.say("page.atLeast", { amount: amountOf(words, value, currency) }));
    case "priceMax": return words.alone(words.say("page.atMost", { amount: amountOf(words, value, currency) }));
    case "stars": return words.say("page.starsAtLeast", { count: value });
    case "shipsTo": return words.alone(words.say("page.shipsTo", { place: value }));
    case "toMe": return words.say("page.reachesMe");
    case "over": return words.say("page.withEnded");
    case "hidden": return words.say("page.withHidden");
    default: return value;
  }
}
