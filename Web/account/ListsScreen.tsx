import { useState } from "react";
import type { Curation } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Title } from "../shared/parts/Title";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useAll } from "../shared/useAll";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { ListEntryDialog } from "./ListEntryDialog";

/** Lists that hide listings: those that the reader follows, the reader's own, and others that the node has. */
export default function ListsScreen() {
  const words = useWords();
  const own = useStore(session)?.account;
  const followed = useCall("GET /v1/subscriptions", {}, ["curation"]);
  const all = useCall("GET /v1/curations", { query: { limit: 100 } }, ["curation"]);
  const mine = useAll("GET /v1/curations", { query: { author: own?.address ?? "" } }, ["curation"]);
  const [isNew, setNew] = useState(false);
  return (
    <div className="stack far measure">
      <div className="stack">
        <Title text={words.say("page.hidingLists")} />
        <p className="soft">{words.say("page.hidingListsWhy")}</p>
      </div>
      <section className="stack close">
        <h2>{words.say("page.followedLists")}</h2>
        <Shown of={followed}>{(lists) => <Lists lists={lists} none={words.say("page.noFollowedLists")} />}</Shown>
      </section>
      <section className="stack close">
        <div className="beside apart">
          <h2>{words.say("page.ownLists")}</h2>
          {own?.signsElsewhere !== true && <Button isSmall onClick={() => setNew(true)}>{words.say("page.newList")}</Button>}
        </div>
        <Shown of={mine}>{(lists) => <Lists lists={lists} none={words.say("page.noOwnLists")} />}</Shown>
      </section>
      <section className="stack close">
        <h2>{words.say("page.otherLists")}</h2>
        <Shown of={all}>
          {({ items }) => <Lists lists={items.filter((one) => !one.isFollowed && one.author !== own?.address)} none={words.say("page.noOtherLists")} />}
        </Shown>
      </section>
      {isNew && <ListEntryDialog list={null} onDone={mine.again} onClose={() => setNew(false)} />}
    </div>
  );
}

function Lists({ lists, none }: { readonly lists: readonly Curation[]; readonly none: string }) {
  const words = useWords();
  if (lists.length === 0) return <p className="soft">{none}</p>;
  return (
    <ul className="rows">
      {lists.map((one) => (
        <Row key={one.id} to={`/lists/${one.id}`} title={<bdi>{one.name}</bdi>} end={<span className="soft small">{words.say("page.entries", { count: one.entries.length })}</span>}>
          {one.about !== "" && <span className="soft note one-line"><bdi>{one.about}</bdi></span>}
          <span className="soft small"><Person account={one.author} size="mini" isLink={false} /></span>
        </Row>
      ))}
    </ul>
  );
}
