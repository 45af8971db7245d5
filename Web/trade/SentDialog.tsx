import type { Sale } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { PictureField } from "../shared/parts/PictureField";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import { picturesOfNoteMax } from "./MoveDialog";

interface Props {
  readonly sale: Sale;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Telling the buyer that it was sent, where no move of the sale says it. */
export function SentDialog({ sale, onClose, onDone }: Props) {
  const words = useWords();
  const form = useForm({ note: "" }, { keep: `sent.${sale.id}` });
  const uploads = useUploads(picturesOfNoteMax, `sent.${sale.id}`);

  async function send(): Promise<void> {
    if (uploads.isBusy && form.refuse({ pictures: words.say("page.uploadsUnderWay") })) return;
    const note = form.values.note.trim();
    await call("PUT /v1/sales/{id}/sent", {
      path: { id: sale.id }, body: { ...(note !== "" && { note }), ...(uploads.ids.length > 0 && { pictures: uploads.ids }) },
    });
    form.done();
    uploads.done();
    onDone();
  }

  return (
    <Dialog title={words.say("page.moveTransfer")} onClose={onClose}>
      <p>{words.say("page.saySentWhy")}</p>
      <Form form={form} action={words.say("page.moveTransfer")} onSend={send}>
        <TextField form={form} name="note" isLong label={words.say("page.noteToBuyer")} hint={words.say("page.noteHint")} />
        <PictureField uploads={uploads} label={words.say("page.pictures")} max={picturesOfNoteMax} faults={form.faults.get("pictures")} />
      </Form>
    </Dialog>
  );
}
