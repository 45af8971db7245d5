import { useState } from "react";
import type { Curation, CurationDraft, CurationEntry } from "../shared/api";
import { short } from "../shared/addresses";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { Fault } from "../shared/parts/Fault";
import { Link } from "../shared/parts/Link";
import { Person } from "../shared/parts/Person";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { go } from "../shared/router";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useWords } from "../shared/words";
import { ListEntryDialog } from "./ListEntryDialog";
import { PublishDialog } from "./PublishDialog";

/** What a list hides and why; its author changes it, others follow it. */
export function ListView({ list, again }: { readonly list: Curation; readonly again: () => void }) {
  const words = useWords();
  const isOwn = useStore(session)?.account.address === list.author;
  const [asked, setAsked] = useState<"add" | "withdraw" | CurationDraft | null>(null);
  const [error, setError] = useState<CallError | null>(null);
  const close = (): void => setAsked(null);

  async function follow(): Promise<void> {
    setError(null);
    try {
      if (list.isFollowed) await call("DELETE /v1/subscriptions/{id}", { path: { id: list.id } });
      else await call("POST /v1/subscriptions", { body: { list: list.id } });
      again();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
  }

  function without(entry: CurationEntry): CurationDraft {
    return { name: list.name, about: list.about, entries: list.entries.filter((one) => one !== entry) };
  }

  return (
    <>
      {list.about !== "" && <p className="lines"><bdi>{list.about}</bdi></p>}
      <p className="beside soft small"><Person account={list.author} size="mini" /> <Time at={list.createdAt} as="day" /></p>
      {error !== null && <Fault error={error} />}
      <div className="beside">
        {isOwn
          ? (
            <>
              <Button onClick={() => setAsked("add")}>{words.say("page.addEntry")}</Button>
              <Button look="danger" onClick={() => setAsked("withdraw")}>{words.say("page.withdrawList")}</Button>
            </>
          )
          : <Button look={list.isFollowed ? "quiet" : "main"} onClick={() => void follow()}>{words.say(list.isFollowed ? "page.unfollow" : "page.follow")}</Button>}
      </div>
      {!isOwn && <p className="soft note">{words.say(list.isFollowed ? "page.isFollowedWhy" : "page.followWhy")}</p>}
      {list.entries.length === 0 && <p>{words.say("page.noEntries")}</p>}
      <ul className="rows">
        {list.entries.map((entry) => (
          <Row key={`${entry.account ?? ""} ${entry.listing ?? ""}`}
            title={entry.listing == null
              ? <Person account={entry.account ?? ""} />
              : <Link to={`/listings/${entry.listing}`}>{words.say("page.listingOf", { id: short(entry.listing) })}</Link>}
            end={isOwn && (
              <Button isSmall onClick={() => setAsked(without(entry))}>{words.say("page.remove")}<span className="unseen"> {entry.account ?? entry.listing}</span></Button>
            )}>
            <span className="note"><bdi>{entry.reason}</bdi></span>
          </Row>
        ))}
      </ul>
      {asked === "add" && <ListEntryDialog list={list} onDone={again} onClose={close} />}
      {asked === "withdraw" && (
        <ConfirmDialog title={words.say("page.withdrawList")} action={words.say("page.withdrawList")} look="danger" onClose={close}
          onAgree={async () => {
            await call("DELETE /v1/curations/{id}", { path: { id: list.id } });
            go("/lists", "replace");
          }}>
          <p>{words.say("page.withdrawListWhy")}</p>
        </ConfirmDialog>
      )}
      {asked !== null && typeof asked !== "string" && <PublishDialog draft={asked} onDone={again} onClose={close} />}
    </>
  );
}
