import type { Account } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { signIn } from "../shared/signIn";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";
import { wordsOf } from "./phrase";
import { withPassword } from "./withPassword";

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
}

/**
 * Checks that somebody's phrase is the account's.
 *
 * The node does not keep it, so it is asked to set the password with it, to the same one.
 */
export function ProofDialog({ account, onClose }: Props) {
  const words = useWords();
  const form = useForm({ phrase: "", password: "" }, { secret: ["phrase", "password"] });

  async function prove(): Promise<void> {
    const { password } = form.values;
    const phrase = wordsOf(form.values.phrase).join(" ");
    const faults = {
      ...(phrase === "" ? { phrase: words.say("page.phraseMissing") } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
    };
    if (form.refuse(faults)) return;
    const isMade = await withPassword(form, words, async () => {
      // Another password than the present one would become the new one.
      await call("POST /v1/sessions/current/confirmation", { body: { password } });
      await call("POST /v1/accounts/{id}/password", { path: { id: account.address }, body: { phrase, newPassword: password } });
    });
    if (!isMade) return;
    form.done();
    await signIn(account.name, password);
    onClose();
    go("/account/keys?done=proof", "replace");
  }

  return (
    <Dialog title={words.say("page.checkPhrase")} onClose={onClose}>
      <Form form={form} action={words.say("page.check")} onSend={prove}>
        <p className="soft">{words.say("page.checkPhraseWhy")}</p>
        <TextField form={form} name="phrase" label={words.say("page.recoveryPhrase")} hint={words.say("page.phraseHint")} isLong lang="en" autoComplete="off" />
        <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.passwordHint")} autoComplete="current-password" />
      </Form>
    </Dialog>
  );
}
