import type { ExternalAccountRequest, ExternalAccountStatement } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { CopyText } from "../shared/parts/CopyText";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { TextField } from "../shared/parts/TextField";
import { go } from "../shared/router";
import { signIn } from "../shared/signIn";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";

interface Props {
  readonly account: ExternalAccountRequest;
  readonly statement: ExternalAccountStatement;
  readonly onBack: () => void;
  readonly onDone: () => void;
}

/** Shows the statement that the wallet signs, and takes the signature. */
export function ExternalProof({ account, statement, onBack, onDone }: Props) {
  const words = useWords();
  const form = useForm({ signature: "", password: "" }, { secret: ["password"] });

  async function add(): Promise<void> {
    const { password } = form.values;
    const signature = form.values.signature.trim();
    const faults = {
      ...(signature === "" ? { signature: words.say("page.fillIn") } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
    };
    if (form.refuse(faults)) return;
    await call("POST /v1/external-accounts", { body: { ...account, password, signature, validUntil: statement.validUntil } });
    form.done();
    onDone();
    await signIn(account.name, password);
    go("/account", "replace");
  }

  return (
    <>
      <Notice><p lang="en">{statement.summary}</p></Notice>
      <CopyText label={words.say("page.typedData")} text={statement.typedData} />
      <p className="soft note">{words.say("page.typedDataHow")}</p>
      <Form form={form} action={words.say("page.addAccount")} onSend={add} beside={<Button look="bare" onClick={onBack}>{words.say("page.back")}</Button>}>
        <TextField form={form} name="signature" label={words.say("page.signature")} hint={words.say("page.signatureHint")} isLong autoComplete="off" />
        <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.externalPasswordHint")} autoComplete="new-password" />
      </Form>
    </>
  );
}
