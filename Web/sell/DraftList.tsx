import { useState } from "react";
import type { Draft } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Money } from "../shared/parts/Money";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { RemoveDialog } from "./RemoveDialog";

/** The account's drafts of listings, to go on with or to remove. */
export function DraftList() {
  const words = useWords();
  const found = useCall("GET /v1/drafts", {});
  const [removing, setRemoving] = useState<string | null>(null);
  return (
    <>
      <Shown of={found}>
        {(drafts) => drafts.length === 0
          ? (
            <Empty icon="file" title={words.say("page.noDrafts")}>
              <p>{words.say("page.draftHint")}</p>
              <Link to="/sell" className="button">{words.say("page.sell")}</Link>
            </Empty>
          )
          : <ul className="rows">{drafts.map((one) => <DraftRow key={one.name} draft={one} onRemove={() => setRemoving(one.name)} />)}</ul>}
      </Shown>
      {removing !== null && (
        <RemoveDialog name="DELETE /v1/drafts/{id}" id={removing} title={words.say("page.removeDraft")} what={removing}
          onClose={() => setRemoving(null)} onRemoved={found.again} />
      )}
    </>
  );
}

function DraftRow({ draft, onRemove }: { readonly draft: Draft; readonly onRemove: () => void }) {
  const words = useWords();
  const { name, content, changedAt } = draft;
  return (
    <Row to={`/sell?${new URLSearchParams({ draft: name })}`} title={<bdi>{name}</bdi>} picture={content.media?.[0]?.id ?? null} end={
      <>
        {content.price.amount !== "0" && (
          <span className="strong"><Money amount={content.price.amount} currency={content.price.currency} chain={content.chain ?? undefined} /></span>
        )}
        <Button isSmall look="bare" onClick={onRemove}>{words.say("page.remove")}<span className="unseen"> {name}</span></Button>
      </>
    }>
      {content.title !== name && <span className="note"><bdi>{content.title}</bdi></span>}
      <span className="soft small">{words.alone(words.named("type", content.type))} · <Time at={changedAt} /></span>
    </Row>
  );
}
