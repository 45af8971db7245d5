import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import { useWords } from "../shared/words";
import { Results } from "./Results";

/** A search of the market: its terms are the address. */
export default function Search({ query }: ScreenProps) {
  const words = useWords();
  const text = query.get("search");
  return (
    <div className="stack">
      <Title text={text === null || text === "" ? words.say("page.allListings") : words.say("page.searchFor", { text })} />
      <Results base="/search" query={query} />
    </div>
  );
}
