import { Reasons } from "../node/Reasons";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { CategoryList } from "./CategoryList";
import { ListingCard } from "./ListingCard";

/** The market as somebody finds it who looks for nothing in particular. */
export default function Home() {
  const words = useWords();
  const isStranger = useStore(session) === null;
  const newest = useCall("GET /v1/rows", { query: { sort: "newest", limit: 24 } }, ["listing"]);
  return (
    <div className="stack far">
      {isStranger && (
        <section className="stack hero" aria-label={words.say("page.about")}>
          <p className="display">{words.say("page.welcomeTitle")}</p>
          <p className="lead soft">{words.say("page.welcomeLead")}</p>
          <div className="beside">
            <Link to="/sign-up" className="button main-action">{words.say("page.createAccount")}</Link>
            <Link to="/welcome" className="button bare">{words.say("page.about")}</Link>
          </div>
        </section>
      )}
      <CategoryList />
      <section className="stack">
        <Title text={words.say("page.newListings")}><Link to="/search">{words.say("page.showAll")}</Link></Title>
        <Shown of={newest}>
          {(page) => page.items.length === 0
            ? (
              <Empty icon="tag" title={words.say("page.noListings")}>
                <p>{words.say("page.noListingsWhy")}</p>
                <Link to="/sell" className="button">{words.say("page.sell")}</Link>
              </Empty>
            )
            : <ul className="cards">{page.items.map((row) => <ListingCard key={row.id} row={row} />)}</ul>}
        </Shown>
      </section>
      {isStranger && <Reasons />}
    </div>
  );
}
