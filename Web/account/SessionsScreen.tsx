import { useState } from "react";
import type { OpenSession } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import { signOut } from "../shared/signIn";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** Where the account is signed in on this node, and the way to end all of it. */
export default function SessionsScreen() {
  const words = useWords();
  const sessions = useCall("GET /v1/sessions", {});
  const [isAsked, setAsked] = useState(false);
  return (
    <div className="stack measure">
      <Title text={words.say("page.sessions")} />
      <p className="soft">{words.say("page.sessionsWhy")}</p>
      <Shown of={sessions}>
        {(all) => (
          <ul className="rows">{all.map((one) => <SessionRow key={`${one.openedAt} ${one.isCurrent}`} of={one} />)}</ul>
        )}
      </Shown>
      <div><Button look="danger" onClick={() => setAsked(true)}>{words.say("page.leaveEverywhere")}</Button></div>
      {isAsked && (
        <ConfirmDialog title={words.say("page.leaveEverywhere")} action={words.say("page.signOut")} look="danger" onClose={() => setAsked(false)}
          onAgree={async () => {
            await signOut(true);
            go("/");
          }}>
          <p>{words.say("page.leaveEverywhereWhy")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function SessionRow({ of: { isCurrent, isPage, openedAt, idleUntil, expiresAt } }: { readonly of: OpenSession }) {
  const words = useWords();
  const until = idleUntil < expiresAt ? idleUntil : expiresAt;
  return (
    <Row title={words.say(isPage ? "page.sessionPage" : "page.sessionProgram")}
      end={isCurrent && <span className="state good">{words.say("page.thisTab")}</span>}>
      <span className="soft small">{words.say("page.sinceTime")} <Time at={openedAt} /></span>
      <span className="soft small">{words.say("page.endsUnused")} <Time at={until} /></span>
    </Row>
  );
}
