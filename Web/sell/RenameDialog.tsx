import type { Work } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

interface Props {
  readonly work: Work;
  readonly onClose: () => void;
  readonly onRenamed: () => void;
}

/** Gives a digital work another name. */
export function RenameDialog({ work, onClose, onRenamed }: Props) {
  const words = useWords();
  const form = useForm<{ readonly name: string }>({ name: work.name });

  async function rename(): Promise<void> {
    const name = form.values.name.trim();
    if (name === "" && form.refuse({ name: words.say("page.nameNeeded") })) return;
    await call("PUT /v1/works/{id}", { path: { id: work.identifier }, body: { name } });
    onRenamed();
  }

  return (
    <Dialog title={words.say("page.rename")} onClose={onClose}>
      <Form form={form} action={words.say("page.save")} onSend={rename}>
        <TextField form={form} name="name" label={words.say("page.nameOfWork")} hint={words.say("page.nameOfWorkHint")} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
