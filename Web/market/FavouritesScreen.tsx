import { useState } from "react";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { useCall } from "../shared/useCall";
import { useLastAnswer } from "../shared/useLastAnswer";
import { useWords } from "../shared/words";
import { FavouriteRow } from "./FavouriteRow";

/** How many favourites stand on one page. */
const shownMax = 30;

/** What the account has kept to look at again, most recently kept first. */
export default function FavouritesScreen() {
  const words = useWords();
  const [after, setAfter] = useState<string | undefined>(undefined);
  const query = after === undefined ? { limit: shownMax } : { limit: shownMax, after };
  const saved = useLastAnswer(useCall("GET /v1/favourites", { query }, ["listing", "listing_withdrawn", "sale", "profile"]));
  return (
    <div className="stack measure">
      <Title text={words.say("page.favourites")} />
      <Shown of={saved}>
        {(page) => page.items.length === 0 && after === undefined
          ? (
            <Empty icon="heart" title={words.say("page.noFavourites")}>
              <p>{words.say("page.noFavouritesWhy")}</p>
              <Link className="button" to="/search">{words.say("page.allListings")}</Link>
            </Empty>
          )
          : (
            <>
              <p className="soft">{words.say("page.favouritesWhy")}</p>
              <ul className="rows">
                {page.items.map((one) => <FavouriteRow key={one.listing} saved={one} onRemoved={saved.again} />)}
              </ul>
              <nav className="beside" aria-label={words.say("page.pages")}>
                {after !== undefined && <Button isSmall onClick={() => setAfter(undefined)}>{words.say("page.firstPage")}</Button>}
                {page.next != null && <Button isSmall onClick={() => setAfter(page.next ?? undefined)}>{words.say("page.nextPage")}</Button>}
              </nav>
            </>
          )}
      </Shown>
    </div>
  );
}
