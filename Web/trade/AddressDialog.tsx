import type { Sale } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { useIntent } from "../shared/useIntent";

interface Props {
  readonly sale: Sale;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Telling the seller where to send it. */
export function AddressDialog({ sale, onClose, onDone }: Props) {
  const words = useWords();
  const known = useCall("GET /v1/address", {});
  return (
    <Dialog title={words.say("page.tellAddress")} onClose={onClose}>
      <Shown of={known}>{(address) => <AddressForm sale={sale} first={address.text ?? ""} onDone={onDone} />}</Shown>
    </Dialog>
  );
}

function AddressForm({ sale, first, onDone }: { readonly sale: Sale; readonly first: string; readonly onDone: () => void }) {
  const words = useWords();
  const form = useForm({ text: first }, { keep: `address.${sale.id}` });
  const intent = useIntent(`address.${sale.id}`);

  async function send(): Promise<void> {
    const text = form.values.text.trim();
    if (text === "" && form.refuse({ text: words.say("page.addressMissing") })) return;
    await intent((once) => call("POST /v1/sales/{id}/address", { path: { id: sale.id }, body: { text }, once }));
    form.done();
    onDone();
  }

  return (
    <Form form={form} action={words.say("page.tellAddress")} onSend={send}>
      <TextField form={form} name="text" isLong autoComplete="street-address" label={words.say("page.deliveryAddress")}
        hint={words.say("page.sealedAddress")} />
    </Form>
  );
}
