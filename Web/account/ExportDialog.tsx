import { useState } from "react";
import type { Account } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";
import { withPassword } from "./withPassword";

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Saves a text as a file on the reader's computer. */
function save(text: string, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  // The browser reads it after the click.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Saves the account's keystore file after the password. */
export function ExportDialog({ account, onClose }: Props) {
  const words = useWords();
  const form = useForm({ password: "" }, { secret: ["password"] });
  const [saved, setSaved] = useState<string | null>(null);

  async function take(): Promise<void> {
    const { password } = form.values;
    if (form.refuse(password === "" ? { password: words.say("page.passwordMissing") } : {})) return;
    await withPassword(form, words, async () => {
      const { keystore, fileName } = await call("POST /v1/accounts/{id}/keystore", { path: { id: account.address }, body: { password } });
      save(keystore, fileName);
      form.setAll({ password: "" });
      form.done();
      setSaved(fileName);
    });
  }

  return (
    <Dialog title={words.say("page.keystoreFile")} onClose={onClose}>
      <Form form={form} action={words.say("page.saveFile")} onSend={take}>
        <p className="soft">{words.say("page.keystoreWhy")}</p>
        {saved !== null && <Notice kind="good" isNews><p>{words.say("page.keystoreSaved", { name: saved })}</p></Notice>}
        <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.passwordHint")} autoComplete="current-password" />
      </Form>
    </Dialog>
  );
}
