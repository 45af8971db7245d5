import type { DraftContentInput } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

interface Props {
  readonly content: DraftContentInput;
  readonly onClose: () => void;
  readonly onSaved: (name: string) => void;
}

/** Asks for the name of a draft. */
export function DraftDialog({ content, onClose, onSaved }: Props) {
  const words = useWords();
  const form = useForm<{ readonly name: string }>({ name: content.title.slice(0, 60) }, { called: { id: "name" } });

  async function save(): Promise<void> {
    const name = form.values.name.trim();
    if (name === "" && form.refuse({ name: words.say("page.nameNeeded") })) return;
    const drafts = await call("GET /v1/drafts", {});
    if (drafts.some((one) => one.name === name) && form.refuse({ name: words.say("page.draftNameTaken") })) return;
    await call("PUT /v1/drafts/{id}", { path: { id: name }, body: content });
    onClose();
    onSaved(name);
  }

  return (
    <Dialog title={words.say("page.saveDraft")} onClose={onClose}>
      <Form form={form} action={words.say("page.save")} onSend={save}>
        <TextField form={form} name="name" label={words.say("page.nameOfDraft")} hint={words.say("page.draftHint")} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
