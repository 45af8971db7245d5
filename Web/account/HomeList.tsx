import { useState } from "react";
import type { Home } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { Row } from "../shared/parts/Row";
import { Time } from "../shared/parts/Time";
import { useWords } from "../shared/words";

/** A peer id as people compare it. */
function shortPeer(peer: string): string {
  return peer.length > 16 ? `${peer.slice(0, 8)}…${peer.slice(-6)}` : peer;
}

/** The account's homes with the end of each lease; all but this node can be removed. */
export function HomeList({ homes, again }: { readonly homes: readonly Home[]; readonly again: () => void }) {
  const words = useWords();
  const [removed, setRemoved] = useState<Home | null>(null);
  return (
    <>
      <ul className="rows">
        {homes.map((home) => (
          <Row key={home.peer} title={home.isThisNode ? words.say("page.thisNode") : <span className="address" title={home.peer}>{shortPeer(home.peer)}</span>}
            end={!home.isThisNode && (
              <Button isSmall onClick={() => setRemoved(home)}>{words.say("page.remove")}<span className="unseen"> {shortPeer(home.peer)}</span></Button>
            )}>
            <span className="soft small">{words.say("page.leaseUntil")} <Time at={home.until} /></span>
            <span className="soft small address">{home.address}</span>
          </Row>
        ))}
      </ul>
      {removed !== null && (
        <ConfirmDialog title={words.say("page.removeHome")} action={words.say("page.remove")} look="danger" onClose={() => setRemoved(null)}
          onAgree={async () => {
            await call("DELETE /v1/homes/{id}", { path: { id: removed.peer } });
            again();
          }}>
          <p className="address">{shortPeer(removed.peer)}</p>
          <p>{words.say("page.removeHomeWhy")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
