import { useState } from "react";
import type { Curation, CurationDraft } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PublishDialog } from "./PublishDialog";

interface Props {
  /** The list that gets an entry; null for a new one. */
  readonly list: Curation | null;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** A listing's id in a text such as its address in the browser, or else the text itself as an account. */
function subjectOf(text: string): { readonly listing: string } | { readonly account: string } {
  const listing = /0x[0-9a-f]{40}\.[0-9a-f]{64}/i.exec(text)?.[0];
  return listing === undefined ? { account: /0x[0-9a-f]{40}/i.exec(text)?.[0] ?? text.trim() } : { listing };
}

/** Puts a listing or an account on a list, with the reason. */
export function ListEntryDialog({ list, onDone, onClose }: Props) {
  const words = useWords();
  // Name and words of a list that is published already are always the published ones.
  const form = useForm({ name: list?.name ?? "", about: list?.about ?? "", what: "", reason: "" },
    { keep: `list.${list?.id ?? "new"}`, secret: list === null ? [] : ["name", "about"], called: { "entries.account": "what", "entries.listing": "what", "entries.reason": "reason", entries: "what" } });
  const [draft, setDraft] = useState<CurationDraft | null>(null);

  async function preview(): Promise<void> {
    const { name, about, what, reason } = form.values;
    const faults = {
      ...(name.trim() === "" ? { name: words.say("page.nameNeeded") } : {}),
      ...(what.trim() === "" ? { what: words.say("page.fillIn") } : {}),
      ...(reason.trim() === "" ? { reason: words.say("page.reasonNeeded") } : {}),
    };
    if (form.refuse(faults)) return;
    const entry = { ...subjectOf(what), reason: reason.trim() };
    const same = JSON.stringify(subjectOf(what)).toLowerCase();
    const others = (list?.entries ?? []).filter(({ account, listing }) => (
      JSON.stringify(listing == null ? { account } : { listing }).toLowerCase() !== same
    ));
    const made: CurationDraft = { name: name.trim(), about: about.trim(), entries: [...others, entry] };
    const { problems } = await call("POST /v1/curations/preview", { body: made, query: {} });
    if (form.show(problems)) return;
    setDraft(made);
  }

  function done(): void {
    form.done();
    onDone();
  }

  if (draft !== null) return <PublishDialog draft={draft} onDone={done} onClose={onClose} />;
  return (
    <Dialog title={words.say(list === null ? "page.newList" : "page.addEntry")} onClose={onClose}>
      <Form form={form} action={words.say("page.seePreview")} onSend={preview}>
        {list === null && (
          <>
            <TextField form={form} name="name" label={words.say("page.nameOfList")} autoComplete="off" />
            <TextField form={form} name="about" label={words.say("page.aboutList")} hint={words.say("page.aboutListHint")} />
          </>
        )}
        <TextField form={form} name="what" label={words.say("page.whatToHide")} hint={words.say("page.whatToHideHint")} autoComplete="off" />
        <TextField form={form} name="reason" label={words.say("page.reason")} hint={words.say("page.reasonHint")} />
      </Form>
    </Dialog>
  );
}
