import { useState } from "react";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { Fault } from "../shared/parts/Fault";
import { Link } from "../shared/parts/Link";
import { session } from "../shared/session";
import { useStore } from "../shared/store";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** What the reader can do with another account: give it a name, block it, report it. Nothing for the reader's own. */
export function PersonActions({ account, name }: { readonly account: string; readonly name: string }) {
  const own = useStore(session)?.account.address;
  if (own === undefined || own === account) return null;
  return <Actions account={account} name={name} />;
}

function Actions({ account, name }: { readonly account: string; readonly name: string }) {
  const words = useWords();
  const blocked = useCall("GET /v1/blocked", {});
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<CallError | null>(null);
  const isBlocked = blocked.answer?.some((one) => one.account.toLowerCase() === account.toLowerCase()) === true;

  async function unblock(): Promise<void> {
    setError(null);
    try {
      await call("DELETE /v1/blocked/{id}", { path: { id: account } });
      blocked.again();
    } catch (fault) {
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
    }
  }

  return (
    <>
      <p className="beside note">
        <Link to={`/account/names?${new URLSearchParams({ account })}`}>{words.say("page.giveName")}</Link>
        <Link to={`/report?${new URLSearchParams({ account })}`}>{words.say("page.report")}</Link>
        {isBlocked
          ? <Button isSmall onClick={() => void unblock()}>{words.say("page.unblock")}</Button>
          : <Button isSmall look="bare" onClick={() => setAsked(true)}>{words.say("page.block")}</Button>}
      </p>
      {error !== null && <Fault error={error} />}
      {isAsked && (
        <ConfirmDialog title={words.say("page.block")} action={words.say("page.block")} look="danger" onClose={() => setAsked(false)}
          onAgree={async () => {
            await call("POST /v1/blocked", { body: { account } });
            blocked.again();
          }}>
          <p><bdi className="strong">{name}</bdi></p>
          <p>{words.say("page.blocksWhy")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
