import { Link } from "../shared/parts/Link";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { Results } from "./Results";

/** The listings of a category. */
export default function Category({ values, query }: ScreenProps) {
  const words = useWords();
  const id = values["id"] ?? "";
  return (
    <div className="stack">
      <Title text={words.named("category", id)}><Link to="/search">{words.say("page.allListings")}</Link></Title>
      <Results base={`/categories/${encodeURIComponent(id)}`} query={query} category={id} />
    </div>
  );
}
