import { useState } from "react";
import type { Work } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Empty } from "../shared/parts/Empty";
import { Link } from "../shared/parts/Link";
import { Row } from "../shared/parts/Row";
import { Shown } from "../shared/parts/Shown";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";
import { RemoveDialog } from "./RemoveDialog";
import { RenameDialog } from "./RenameDialog";

/** The account's digital works, those that it made and those that it bought. */
export function WorkList() {
  const words = useWords();
  const found = useCall("GET /v1/works", {});
  const [removing, setRemoving] = useState<Work | null>(null);
  const [naming, setNaming] = useState<Work | null>(null);
  const close = (): void => {
    setRemoving(null);
    setNaming(null);
  };
  const changed = (): void => {
    close();
    found.again();
  };
  return (
    <>
      <Shown of={found}>
        {(works) => works.length === 0
          ? (
            <Empty icon="file" title={words.say("page.noWorks")}>
              <p>{words.say("page.workHint")}</p>
              <Link to="/sell" className="button">{words.say("page.sell")}</Link>
            </Empty>
          )
          : (
            <ul className="rows">
              {works.map((one) => (
                <Row key={one.identifier} title={<bdi>{one.name}</bdi>} end={
                  <div className="beside">
                    <Button isSmall look="bare" onClick={() => setNaming(one)}>{words.say("page.rename")}<span className="unseen"> {one.name}</span></Button>
                    <Button isSmall look="bare" onClick={() => setRemoving(one)}>{words.say("page.remove")}<span className="unseen"> {one.name}</span></Button>
                  </div>
                }>
                  <span className="soft small">
                    {sizeOf(one.length, words.language)} · <span className="address">{one.identifier.slice(0, 12)}…</span>
                    {!one.isHere && <> · {words.say("page.workElsewhere")}</>}
                  </span>
                </Row>
              ))}
            </ul>
          )}
      </Shown>
      {removing !== null && (
        <RemoveDialog name="DELETE /v1/works/{id}" id={removing.identifier} title={words.say("page.removeWork")} what={removing.name}
          onClose={close} onRemoved={changed} />
      )}
      {naming !== null && <RenameDialog work={naming} onClose={close} onRenamed={changed} />}
    </>
  );
}

function sizeOf(bytes: number, language: string): string {
  const isSmall = bytes < 1_000_000;
  const format = new Intl.NumberFormat(language, { style: "unit", unit: isSmall ? "kilobyte" : "megabyte", maximumFractionDigits: 1 });
  return format.format(bytes / (isSmall ? 1000 : 1_000_000));
}
