import { Link } from "../shared/parts/Link";
import { Title } from "../shared/parts/Title";
import type { ScreenProps } from "../shared/screens";
import type { PlainCode } from "../shared/words";
import { useWords } from "../shared/words";
import { DraftList } from "./DraftList";
import { OwnListings } from "./OwnListings";
import { WorkList } from "./WorkList";

const lists: readonly (readonly [list: string, name: PlainCode])[] = [
  ["open", "page.onSale"], ["over", "page.ended"], ["drafts", "page.drafts"], ["works", "page.works"],
];

/** Everything that the account offers and has offered, its drafts, and its digital works. */
export default function SellingScreen({ query }: ScreenProps) {
  const words = useWords();
  const [chosen] = lists.find(([list]) => list === query.get("list")) ?? ["open"];
  return (
    <div className="stack">
      <Title text={words.say("page.ownListings")}><Link to="/sell" className="button small">{words.say("page.sell")}</Link></Title>
      <nav className="strip" aria-label={words.say("page.lists")}>
        {lists.map(([list, name]) => (
          <Link key={list} to={list === "open" ? "/selling" : `/selling?list=${list}`} className="pill" aria-current={list === chosen}>{words.say(name)}</Link>
        ))}
      </nav>
      {chosen === "drafts" ? <DraftList /> : chosen === "works" ? <WorkList /> : <OwnListings key={chosen} isOver={chosen === "over"} />}
    </div>
  );
}
