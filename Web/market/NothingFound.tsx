import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { changed, filterNames } from "./searchTerms";

/** Why a search found nothing, with one click to undo each reason. */
export function NothingFound({ base, query }: { readonly base: string; readonly query: URLSearchParams }) {
  const words = useWords();
  const hasAccount = useStore(session) !== null;
  const set = filterNames.filter((name) => query.has(name));
  const undo = (name: "over" | "hidden"): string => changed(base, query, { [name]: "true" });
  const none = Object.fromEntries(set.map((name) => [name, null]));
  return (
    <Empty icon="search" title={words.say("page.nothingFound")}>
      <p>{words.say(set.length > 0 ? "page.nothingFoundFiltered" : "page.nothingFoundWhy")}</p>
      <div className="beside">
        {set.length > 0 && <Link className="button" to={changed(base, query, none)}>{words.say("page.removeAll")}</Link>}
        {!query.has("over") && <Link className="button" to={undo("over")}>{words.say("page.withEnded")}</Link>}
        {hasAccount && !query.has("hidden") && (
          <Link className="button" to={undo("hidden")}>{words.say("page.withHidden")}</Link>
        )}
        {query.has("search") && <Link className="button" to="/search">{words.say("page.allListings")}</Link>}
      </div>
    </Empty>
  );
}
