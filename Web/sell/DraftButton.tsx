import { useState } from "react";
import type { DraftContentInput } from "../shared/api";
import { call, CallError } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { useWords } from "../shared/words";

interface Props {
  readonly content: DraftContentInput;
  /** The draft that the form goes on with; null if it is none yet. */
  readonly name: string | null;
  /** Asks for a name; the dialog stands outside of the form. */
  readonly onAsk: () => void;
  readonly onSaved: (name: string) => void;
}

/** Keeps the form as a draft, complete or not: one that has a name again under it, another one under a new name. */
export function DraftButton({ content, name, onAsk, onSaved }: Props) {
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState("");

  async function saveAgain(id: string): Promise<void> {
    setBusy(true);
    try {
      await call("PUT /v1/drafts/{id}", { path: { id }, body: content });
      setSaid(words.say("page.draftSaved"));
      onSaved(id);
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      setSaid(words.failure(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <Button isBusy={isBusy} onClick={() => {
        setSaid("");
        if (name === null) onAsk();
        else void saveAgain(name);
      }}>{words.say("page.saveDraft")}</Button>
      <span role="status" className="small soft">{said}</span>
    </>
  );
}
