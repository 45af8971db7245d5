import { useEffect, useRef, useState } from "react";
import type { Sale } from "../shared/api";
import { address, CallError } from "../shared/call";
import { download, save } from "../shared/download";
import { Button } from "../shared/parts/Button";
import { Fault } from "../shared/parts/Fault";
import { Icon } from "../shared/parts/Icon";
import { session } from "../shared/session";
import { useWords } from "../shared/words";

/** The node sends an account two files at a time: further ones wait here. */
let line: Promise<unknown> = Promise.resolve();

function inLine<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  const next = line.then(act);
  line = next.catch(() => undefined);
  return next;
}

interface Props {
  readonly sale: Sale;
  /** The name of the file, if it is known. */
  readonly name: string;
  readonly isMain?: boolean;
  /** Counts how often all files were asked for. */
  readonly asked?: number;
}

/** Gets a bought file under its own name; a part that is underway has a bar, and a fault a way to try again. */
export function WorkDownload({ sale, name, isMain = false, asked = 0 }: Props) {
  const words = useWords();
  const [part, setPart] = useState<number | null | "no" | "done">("no");
  const [error, setError] = useState<CallError | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const isBusy = part === null || typeof part === "number";

  async function get(): Promise<void> {
    // A second click before the first is drawn.
    if (stop.current !== null) return;
    const own = new AbortController();
    stop.current = own;
    setError(null);
    try {
      const path = address("/v1/sales/{id}/work", { id: sale.id }, { as: session.get()?.account.address });
      setPart(null);
      save(await inLine(() => download(path, setPart, own.signal)));
      setPart("done");
    } catch (fault) {
      if (own.signal.aborted) return;
      if (!(fault instanceof CallError)) throw fault;
      setError(fault);
      setPart("no");
    } finally {
      stop.current = null;
    }
  }

  useEffect(() => {
    if (asked > 0) void get();
    // eslint-disable-next-line react/exhaustive-deps, react-hooks/exhaustive-deps -- once for each time
  }, [asked]);

  return (
    <div className="stack close">
      <p>
        <Button isSmall={!isMain} look={isMain ? "main" : "quiet"} isBusy={isBusy} onClick={() => void get()}>
          <Icon name={part === "done" ? "check" : "download"} />{words.say("page.getFile")}<span className="unseen"> {name}</span>
        </Button>
      </p>
      {isBusy && <progress className="progress" {...(typeof part === "number" && { value: part })} max={1} aria-label={words.say("page.downloadOf", { name })} />}
      <span role="status" className="small soft">{part === "done" && words.say("page.fileSaved", { name })}</span>
      {error !== null && <Fault error={error} again={() => void get()} />}
    </div>
  );
}
