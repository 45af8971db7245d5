import { call } from "../call";
import { question } from "../confirmation";
import { Dialog } from "../parts/Dialog";
import { Form } from "../parts/Form";
import { TextField } from "../parts/TextField";
import { session } from "../session";
import { useStore } from "../store";
import { useForm } from "../useForm";
import { useWords } from "../words";

/** Asks for the password if the last one is too old to move money. */
export function PasswordQuestion() {
  const answer = useStore(question);
  return answer === null ? null : <Question onAnswer={answer} />;
}

function Question({ onAnswer }: { readonly onAnswer: (isConfirmed: boolean) => void }) {
  const words = useWords();
  const name = useStore(session)?.account.name ?? "";
  const form = useForm({ password: "" }, { secret: ["password"] });

  async function confirm(): Promise<void> {
    if (form.refuse(form.values.password === "" ? { password: words.say("page.passwordMissing") } : {})) return;
    await call("POST /v1/sessions/current/confirmation", { body: { password: form.values.password } });
    form.done();
    onAnswer(true);
  }

  return (
    <Dialog title={words.say("page.passwordAgain")} onClose={() => onAnswer(false)}>
      <Form form={form} action={words.say("page.confirmPassword")} onSend={confirm}>
        <p className="soft">{words.say("page.passwordAgainWhy", { name })}</p>
        <TextField form={form} name="password" type="password" label={words.say("page.password")} autoComplete="current-password" />
      </Form>
    </Dialog>
  );
}
