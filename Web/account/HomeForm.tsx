import { useState } from "react";
import { call } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

/** Asks another node to keep the account's mail. */
export function HomeForm({ again }: { readonly again: () => void }) {
  const words = useWords();
  const form = useForm({ address: "" }, { keep: "home" });
  const [isAdded, setAdded] = useState(false);

  async function add(): Promise<void> {
    setAdded(false);
    const address = form.values.address.trim();
    if (form.refuse(address === "" ? { address: words.say("page.fillIn") } : {})) return;
    await call("POST /v1/homes", { body: { address } });
    form.setAll({ address: "" });
    form.done();
    setAdded(true);
    again();
  }

  return (
    <Form form={form} action={words.say("page.addHome")} look="quiet" onSend={add}>
      {isAdded && <Notice kind="good" isNews><p>{words.say("page.homeAdded")}</p></Notice>}
      <TextField form={form} name="address" label={words.say("page.homeAddress")} hint={words.say("page.homeAddressHint")} autoComplete="off" />
    </Form>
  );
}
