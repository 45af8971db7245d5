import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { isTooLong, noteMax } from "./NoteDialog";

interface Props {
  readonly sale: string;
  readonly round: number;
  readonly onClose: () => void;
  readonly onAdded: () => void;
}

/** Notes somebody who has no seat. */
export function ApplicantDialog({ sale, round, onClose, onAdded }: Props) {
  const words = useWords();
  const form = useForm({ account: "", note: "" }, { keep: `applicant.${sale}.${round}`, called: { notes: "account", "notes.account": "account", "notes.text": "note" } });

  async function save(): Promise<void> {
    const [account, text] = [form.values.account.trim(), form.values.note.trim()];
    const faults = {
      ...(account === "" ? { account: words.say("page.accountMissing") } : {}),
      ...(text === "" ? { note: words.say("page.fillIn") } : isTooLong(text) ? { note: words.say("page.noteTooLong", { most: noteMax }) } : {}),
    };
    if (form.refuse(faults)) return;
    await call("PUT /v1/sales/{id}/attendance", { path: { id: sale }, body: { round, notes: [{ account, text }] } });
    form.done();
    onAdded();
  }

  return (
    <Dialog title={words.say("page.addApplicant")} onClose={onClose}>
      <Form form={form} action={words.say("page.save")} onSend={save}>
        <TextField form={form} name="account" label={words.say("page.account")} hint={words.say("page.applicantHint")} autoComplete="off" />
        <TextField form={form} name="note" isLong label={words.say("page.note")} hint={words.say("page.noteOwn")} />
      </Form>
    </Dialog>
  );
}
