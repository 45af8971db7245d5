import { call } from "../shared/call";
import type { Contact } from "../shared/api";
import { readCurrencies } from "../shared/currencies";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

interface Props {
  readonly contact: Pick<Contact, "account" | "name">;
  /** Whether the account has a name already, which can be removed. */
  readonly isKnown: boolean;
  readonly again: () => void;
  readonly onClose: () => void;
}

/** Gives an account a name, changes it, or takes it away. */
export function NameDialog({ contact, isKnown, again, onClose }: Props) {
  const words = useWords();
  const form = useForm({ account: contact.account, name: contact.name });

  async function save(): Promise<void> {
    const [account, name] = [form.values.account.trim(), form.values.name.trim()];
    const faults = {
      ...(account === "" ? { account: words.say("page.fillIn") } : {}),
      ...(name === "" ? { name: words.say("page.nameNeeded") } : {}),
    };
    if (form.refuse(faults)) return;
    await call("PUT /v1/contacts/{id}", { path: { id: account }, body: { name } });
    await end();
  }

  async function remove(): Promise<void> {
    await call("DELETE /v1/contacts/{id}", { path: { id: contact.account } });
    await end();
  }

  async function end(): Promise<void> {
    form.done();
    again();
    // Every screen shows the reader's own names.
    await readCurrencies();
    onClose();
  }

  return (
    <Dialog title={words.say(isKnown ? "page.changeName" : "page.addName")} onClose={onClose}>
      <Form form={form} action={words.say("page.save")} onSend={save}
        beside={isKnown && <Button look="bare" onClick={() => void remove().catch(form.fail)}>{words.say("page.removeName")}</Button>}>
        {isKnown
          ? <p className="address soft">{contact.account}</p>
          : <TextField form={form} name="account" label={words.say("page.address")} hint={words.say("page.addressHint")} autoComplete="off" />}
        <TextField form={form} name="name" label={words.say("page.ownName")} hint={words.say("page.ownNameHint")} autoComplete="off" />
      </Form>
    </Dialog>
  );
}
