import type { Account } from "../shared/api";
import { call } from "../shared/call";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { go } from "../shared/router";
import { signIn } from "../shared/signIn";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";
import { isLikePhrase } from "./phrase";
import { withPassword } from "./withPassword";

interface Props {
  readonly account: Account;
  readonly onClose: () => void;
}

/** Sets a new password, and signs in with it again here. */
export function PasswordDialog({ account, onClose }: Props) {
  const words = useWords();
  const form = useForm({ password: "", newPassword: "" }, { secret: ["password", "newPassword"] });

  async function change(): Promise<void> {
    const { password, newPassword } = form.values;
    const faults = {
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
      ...(newPassword === "" ? { newPassword: words.say("page.newPasswordMissing") } : {}),
      ...(isLikePhrase(newPassword) ? { newPassword: words.say("page.phraseNotPassword") } : {}),
    };
    if (form.refuse(faults)) return;
    const isMade = await withPassword(form, words, async () => {
      await call("POST /v1/accounts/{id}/password", { path: { id: account.address }, body: { password, newPassword } });
    });
    if (!isMade) return;
    form.done();
    // The node has ended all sessions of the account, this one too.
    await signIn(account.name, newPassword);
    onClose();
    go("/account/keys?done=password", "replace");
  }

  return (
    <Dialog title={words.say("page.changePassword")} onClose={onClose}>
      <Form form={form} action={words.say("page.change")} onSend={change}>
        <p className="soft">{words.say("page.changePasswordWhy")}</p>
        <PasswordField form={form} name="password" label={words.say("page.oldPassword")} autoComplete="current-password" />
        <PasswordField form={form} name="newPassword" label={words.say("page.newPasswordShort")} hint={words.say("page.newPasswordHint")} autoComplete="new-password" />
      </Form>
    </Dialog>
  );
}
