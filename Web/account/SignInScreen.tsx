import { CallError } from "../shared/call";
import { Form } from "../shared/parts/Form";
import { Icon } from "../shared/parts/Icon";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { TextField } from "../shared/parts/TextField";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import type { ScreenProps } from "../shared/screens";
import { session } from "../shared/session";
import { signIn } from "../shared/signIn";
import { useStore } from "../shared/store";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PasswordField } from "./PasswordField";
import { isLikePhrase } from "./phrase";
import { whereTo, withTo } from "./whereTo";

/** Signs in; after a lock it asks only for the password. */
export default function SignInScreen({ query }: ScreenProps) {
  const words = useWords();
  const own = useStore(session);
  const locked = query.get("locked");
  const to = whereTo(query);
  const form = useForm({ account: locked ?? "", password: "" }, { secret: ["password"], ...(locked === null ? { keep: "signIn" } : {}) });

  async function send(): Promise<void> {
    const account = locked ?? form.values.account.trim();
    const { password } = form.values;
    const faults = {
      ...(account === "" ? { account: words.say("page.accountMissing") } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
      ...(isLikePhrase(password) ? { password: words.say("page.phraseNotPassword") } : {}),
    };
    if (form.refuse(faults)) return;
    try {
      await signIn(account, password);
    } catch (error) {
      const problem = error instanceof CallError ? error.problem : null;
      if (problem?.code !== "wrong_password") throw error;
      form.refuse({ password: words.problem(problem) });
      return;
    }
    form.done();
    go(to, "replace");
  }

  return (
    <div className="door stack">
      <Title text={locked === null ? words.say("page.signIn") : words.say("page.locked")} />
      {locked === null
        ? own !== null && <Notice><p>{words.say("page.signedInAs", { name: own.account.name })} <Link to="/account">{words.say("page.account")}</Link></p></Notice>
        : <p className="beside soft"><Icon name="lock" /><span>{words.say("page.lockedWhy", { name: locked })}</span></p>}
      <Form form={form} action={words.say(locked === null ? "page.signIn" : "page.unlock")} onSend={send}>
        {locked === null && (
          <TextField form={form} name="account" label={words.say("page.accountName")} hint={words.say("page.accountNameHint")} autoComplete="username" />
        )}
        <PasswordField form={form} name="password" label={words.say("page.password")} hint={words.say("page.passwordHint")} autoComplete="current-password" />
      </Form>
      <p className="door-ways note">
        {locked === null
          ? <Link to={withTo("/sign-up", to)}>{words.say("page.signUp")}</Link>
          : <Link to={withTo("/sign-in", to)}>{words.say("page.otherAccount")}</Link>}
        <Link to={withTo("/recover", to)}>{words.say("page.recoverAccount")}</Link>
        {locked === null && <Link to="/external">{words.say("page.externalAccount")}</Link>}
      </p>
    </div>
  );
}
