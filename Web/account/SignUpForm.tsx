import { call } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { newcomer } from "./newcomer";
import { PasswordField } from "./PasswordField";
import { isLikePhrase, wordsOf } from "./phrase";
import { withTo } from "./whereTo";

/** Name and password of a new account. */
export function SignUpForm({ to, onMade }: { readonly to: string; readonly onMade: () => void }) {
  const words = useWords();
  const form = useForm({ name: "", password: "" }, { keep: "signUp", secret: ["password"] });

  async function make(): Promise<void> {
    const name = form.values.name.trim();
    const { password } = form.values;
    const faults = {
      ...(name === "" ? { name: words.say("page.accountMissing") } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
      ...(isLikePhrase(password) ? { password: words.say("page.phraseNotPassword") } : {}),
    };
    if (form.refuse(faults)) return;
    const { phrase, account } = await call("POST /v1/accounts", { body: { name, password } });
    form.done();
    onMade();
    newcomer.set({ name: account.name, password, phrase: wordsOf(phrase ?? "") });
  }

  return (
    <>
      <p className="soft">{words.say("page.signUpWhy")}</p>
      <Form form={form} action={words.say("page.signUp")} onSend={make}>
        <TextField form={form} name="name" label={words.say("page.accountName")} hint={words.say("page.newNameHint")} autoComplete="username" />
        <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.newPasswordHint")} autoComplete="new-password" />
      </Form>
      <p className="door-ways note">
        <Link to={withTo("/sign-in", to)}>{words.say("page.haveAccount")}</Link>
        <Link to={withTo("/recover", to)}>{words.say("page.recoverAccount")}</Link>
      </p>
    </>
  );
}
