import { useState } from "react";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { CallError } from "../shared/call";
import { Notice } from "../shared/parts/Notice";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { Title } from "../shared/parts/Title";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { UnattendedForm } from "./UnattendedForm";

/** What the node does for the account while nobody is signed in. */
export default function UnattendedScreen() {
  const words = useWords();
  const id = useStore(session)?.account.address ?? "";
  const left = useCall("GET /v1/accounts/{id}/unattended", { path: { id } });
  const [error, setError] = useState<CallError | null>(null);

  async function end(): Promise<void> {
    setError(null);
    try {
      await call("DELETE /v1/accounts/{id}/unattended", { path: { id } });
      left.again();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
  }

  return (
    <div className="stack measure">
      <Title text={words.say("page.unattended")} />
      <p className="soft">{words.say("page.unattendedWhy")}</p>
      {error !== null && <Fault error={error} />}
      <Shown of={left}>
        {({ moves, until, isDamaged }) => (
          <>
            {isDamaged === true && <Notice kind="fault"><p>{words.say("page.unattendedDamaged")}</p></Notice>}
            {moves.length > 0 && until != null && isDamaged !== true && (
              <Notice kind="good" isNews>
                <p>{words.say("page.unattendedOn")} <Time at={until} /></p>
                <ul>{moves.map((one) => <li key={one}>{words.alone(words.named("unattendedMove", one))}</li>)}</ul>
              </Notice>
            )}
            {moves.length === 0 && isDamaged !== true && <p>{words.say("page.unattendedOff")}</p>}
            {(moves.length > 0 || isDamaged === true) && (
              <div><Button look="danger" onClick={() => void end()}>{words.say("page.endUnattended")}</Button></div>
            )}
            <UnattendedForm key={until ?? "none"} account={id} now={moves} again={left.again} />
          </>
        )}
      </Shown>
    </div>
  );
}
