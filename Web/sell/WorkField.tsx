import { useEffect, useRef, useState } from "react";
import type { Work } from "../shared/api";
import { CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { Field } from "../shared/parts/Field";
import { Icon } from "../shared/parts/Icon";
import { uploadWork, workMax } from "../shared/upload";
import { useCall } from "../shared/useCall";
import type { FormState } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { SellValues } from "./listingValues";

/** The file of a digital work: one that is added here, or one of those that were added before. */
export function WorkField({ form }: { readonly form: FormState<SellValues> }) {
  const words = useWords();
  const input = useRef<HTMLInputElement>(null);
  const stop = useRef<AbortController | null>(null);
  const found = useCall("GET /v1/works", {});
  const [added, setAdded] = useState<readonly Work[]>([]);
  const [part, setPart] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  form.has("work");
  const known = [...added, ...(found.answer ?? []).filter((one) => !added.some((own) => own.identifier === one.identifier))];
  const { work } = form.values;
  const isUnknown = work !== "" && !known.some((one) => one.identifier === work);

  async function add(file: File | undefined): Promise<void> {
    if (file === undefined || part !== null) return;
    setFault(file.size > workMax ? words.say("page.fileTooLarge") : null);
    if (file.size > workMax) return;
    stop.current = new AbortController();
    setPart(0);
    try {
      const one = await uploadWork(file, setPart, stop.current.signal);
      setAdded((now) => [one, ...now]);
      form.set("work", one.identifier);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setFault(words.failure(error));
    } finally {
      setPart(null);
    }
  }

  const faults = [...(fault === null ? [] : [fault]), ...(form.faults.get("work") ?? [])];
  return (
    <div className="stack close">
      <Field label={words.say("page.work")} hint={words.say("page.workHint")} faults={faults}>
        {(control) => (
          <select {...control} name="work" value={work} onChange={(event) => form.set("work", event.target.value)}>
            <option value="">{words.say(known.length > 0 ? "page.chooseWork" : "page.noWork")}</option>
            {isUnknown && <option value={work}>{work.slice(0, 12)}…</option>}
            {known.map((one) => <option key={one.identifier} value={one.identifier}>{one.name}</option>)}
          </select>
        )}
      </Field>
      <div className="beside">
        <input ref={input} type="file" hidden aria-label={words.say("page.addWork")} onChange={(event) => {
          void add(event.target.files?.[0]);
          event.target.value = "";
        }} />
        <Button isSmall isBusy={part !== null} onClick={() => input.current?.click()}><Icon name="file" />{words.say("page.addWork")}</Button>
        {part !== null && <progress className="progress grows" value={part} max={1} aria-label={words.say("page.addWork")} />}
      </div>
    </div>
  );
}
