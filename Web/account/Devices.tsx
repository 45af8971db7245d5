import { useState } from "react";
import type { Device } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { ConfirmDialog } from "../shared/parts/ConfirmDialog";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { Time } from "../shared/parts/Time";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The nodes that have the account's key; one that was lost can be revoked. */
export function Devices() {
  const words = useWords();
  const devices = useCall("GET /v1/devices", {}, ["device"]);
  const [revoked, setRevoked] = useState<Device | null>(null);
  return (
    <section className="stack close">
      <h2>{words.say("page.devices")}</h2>
      <p className="soft note">{words.say("page.devicesWhy")}</p>
      <Shown of={devices}>
        {(all) => (
          <ul className="rows">
            {all.map((one) => (
              <Row key={one.id} title={one.isThisNode ? words.say("page.thisNode") : <bdi className="address">{one.name}</bdi>}
                end={!one.isThisNode && (
                  <Button isSmall look="danger" onClick={() => setRevoked(one)}>{words.say("page.revoke")}<span className="unseen"> {one.name}</span></Button>
                )}>
                <span className="soft small">{words.say("page.sinceTime")} <Time at={one.since} as="day" /></span>
              </Row>
            ))}
          </ul>
        )}
      </Shown>
      {revoked !== null && (
        <ConfirmDialog title={words.say("page.revokeDevice")} action={words.say("page.revoke")} look="danger" onClose={() => setRevoked(null)}
          onAgree={async () => {
            await call("DELETE /v1/devices/{id}", { path: { id: revoked.id } });
            devices.again();
          }}>
          <p><bdi className="address">{revoked.name}</bdi></p>
          <p>{words.say("page.revokeDeviceWhy")}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
