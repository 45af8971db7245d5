import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { useWords } from "../shared/words";
import { changed } from "./searchTerms";

interface Props {
  readonly base: string;
  readonly query: URLSearchParams;
  /** Where the next page begins; nothing on the last one. */
  readonly next: string | null | undefined;
}

/** The ways to the first and to the next page of a search. They are addresses, unlike PageButtons, so that a page can be kept and sent. */
export function Pager({ base, query, next }: Props) {
  const words = useWords();
  const first = changed(base, query, {});
  return (
    <nav className="beside apart" aria-label={words.say("page.pages")}>
      {query.has("after")
        ? <Link className="button" to={first}><Icon name="back" />{words.say("page.firstPage")}</Link>
        : <span />}
      {next != null && (
        <Link className="button" to={`${first}${first.includes("?") ? "&" : "?"}${new URLSearchParams({ after: next })}`}>
          {words.say("page.nextPage")}<Icon name="next" />
        </Link>
      )}
    </nav>
  );
}
