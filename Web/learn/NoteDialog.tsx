import type { Attendance } from "../shared/api";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Person } from "../shared/parts/Person";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

/** How long a note can be, in bytes. */
export const noteMax = 1_000;

/** Whether a note is longer than the node keeps. */
export function isTooLong(text: string): boolean {
  return new TextEncoder().encode(text).length > noteMax;
}

interface Props {
  readonly entry: Attendance;
  readonly onClose: () => void;
  readonly onSave: (text: string) => Promise<void>;
}

/** The teacher's note about somebody of the list; an empty one is removed. */
export function NoteDialog({ entry, onClose, onSave }: Props) {
  const words = useWords();
  const form = useForm({ note: entry.note ?? "" });

  async function save(): Promise<void> {
    const text = form.values.note.trim();
    if (form.refuse(isTooLong(text) ? { note: words.say("page.noteTooLong", { most: noteMax }) } : {})) return;
    form.done();
    await onSave(text);
  }

  return (
    <Dialog title={words.say("page.writeNote")} onClose={onClose}>
      <p><Person account={entry.account} name={entry.name} isLink={false} /></p>
      <Form form={form} action={words.say("page.save")} onSend={save}>
        <TextField form={form} name="note" isLong label={words.say("page.note")} hint={words.say("page.noteOwn")} />
      </Form>
    </Dialog>
  );
}
