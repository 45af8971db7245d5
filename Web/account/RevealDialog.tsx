import { useEffect, useState } from "react";
import type { Account } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { CopyButton } from "../shared/parts/CopyButton";
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

/** How long a key is shown, in milliseconds. */
const shownFor = 60_000;

/** Shows the private key after the password, and hides it again after a minute. */
export function RevealDialog({ account, onClose }: Props) {
  const words = useWords();
  const form = useForm({ password: "" }, { secret: ["password"] });
  const [key, setKey] = useState<string | null>(null);
  const [wasShown, setWasShown] = useState(false);
  useEffect(() => {
    if (key === null) return undefined;
    const timer = window.setTimeout(() => setKey(null), shownFor);
    return () => window.clearTimeout(timer);
  }, [key]);

  async function reveal(): Promise<void> {
    const { password } = form.values;
    if (form.refuse(password === "" ? { password: words.say("page.passwordMissing") } : {})) return;
    await withPassword(form, words, async () => {
      const { privateKey } = await call("POST /v1/accounts/{id}/key", { path: { id: account.address }, body: { password } });
      form.setAll({ password: "" });
      form.done();
      setWasShown(true);
      setKey(privateKey);
    });
  }

  return (
    <Dialog title={words.say("page.privateKey")} onClose={onClose}>
      {key === null
        ? (
          <Form form={form} action={words.say("page.showKey")} onSend={reveal} look="danger">
            {wasShown && <Notice isNews><p>{words.say("page.keyHidden")}</p></Notice>}
            <Notice kind="warn"><p>{words.say("page.keyDanger")}</p></Notice>
            <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.passwordHint")} autoComplete="current-password" />
          </Form>
        )
        : (
          <div className="stack">
            <p className="address" translate="no" data-secret>{key}</p>
            <p className="soft note">{words.say("page.keyShownFor")}</p>
            <div className="beside">
              <CopyButton text={key} name={words.say("page.copyKey")} />
              <Button isSmall onClick={() => setKey(null)}>{words.say("page.hide")}</Button>
            </div>
          </div>
        )}
    </Dialog>
  );
}
