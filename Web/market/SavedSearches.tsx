import { useState } from "react";
import type { SavedSearch } from "../shared/api";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Fault } from "../shared/parts/Fault";
import { Link } from "../shared/parts/Link";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import { pointText } from "../shared/places";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The address of a saved search. */
function addressOf({ terms }: SavedSearch): string {
  const { text, starsMin, reachesMe, near, ...rest } = terms;
  const all = Object.entries({ ...rest, search: text, stars: starsMin, toMe: reachesMe, near: near == null ? null : pointText(near) })
    .flatMap(([name, value]) => (value == null || typeof value === "object" ? [] : [[name, String(value)]]));
  return `/search?${new URLSearchParams(all)}`;
}

/** The account's saved searches. */
export default function SavedSearches() {
  const words = useWords();
  const saved = useCall("GET /v1/searches", {});
  const [error, setError] = useState<CallError | null>(null);

  async function remove(name: string): Promise<void> {
    try {
      await call("DELETE /v1/searches/{id}", { path: { id: name } });
      setError(null);
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
    saved.again();
  }

  return (
    <div className="stack measure">
      <Title text={words.say("page.savedSearches")} />
      {error !== null && <Fault error={error} />}
      <Shown of={saved}>
        {(searches) => searches.length === 0
          ? (
            <Empty icon="heart" title={words.say("page.noSavedSearches")}>
              <p>{words.say("page.saveSearchWhy")}</p>
              <Link className="button" to="/search">{words.say("page.search")}</Link>
            </Empty>
          )
          : (
            <ul className="rows">
              {searches.map((one) => (
                <Row key={one.name} to={addressOf(one)} title={<bdi>{one.name}</bdi>}
                  end={(
                    <Button isSmall onClick={() => void remove(one.name)}>
                      {words.say("page.remove")}<span className="unseen"> {one.name}</span>
                    </Button>
                  )}>
                  <span className="soft small">{words.say("page.since")} <Time at={one.since} as="day" /></span>
                </Row>
              ))}
            </ul>
          )}
      </Shown>
    </div>
  );
}
