import { call } from "../shared/call";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { Form } from "../shared/parts/Form";
import { Link } from "../shared/parts/Link";
import { TextField } from "../shared/parts/TextField";
import { Title } from "../shared/parts/Title";
import { go } from "../shared/router";
import type { ScreenProps } from "../shared/screens";
import { signIn } from "../shared/signIn";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { KeystoreField } from "./KeystoreField";
import { PasswordField } from "./PasswordField";
import { wordsOf } from "./phrase";
import { whereTo, withTo } from "./whereTo";

const empty = { way: "phrase", phrase: "", privateKey: "", keystore: "", keystorePassword: "", name: "", password: "" };

/** Restores an account on this node from its phrase, its key or a keystore file, and signs in. */
export default function RecoverScreen({ query }: ScreenProps) {
  const words = useWords();
  const to = whereTo(query);
  const form = useForm(empty, { keep: "recover", secret: ["phrase", "privateKey", "keystore", "keystorePassword", "password"] });
  const { way, keystore, keystorePassword, password } = form.values;
  const phrase = wordsOf(form.values.phrase).join(" ");
  const privateKey = form.values.privateKey.trim();
  const name = form.values.name.trim();

  async function recover(): Promise<void> {
    const proof = {
      ...(way === "phrase" && phrase === "" ? { phrase: words.say("page.phraseMissing") } : {}),
      ...(way === "key" && privateKey === "" ? { privateKey: words.say("page.keyMissing") } : {}),
      ...(way === "keystore" && keystore === "" ? { keystore: words.say("page.keystoreMissing") } : {}),
      ...(way === "keystore" && keystorePassword === "" ? { keystorePassword: words.say("page.passwordMissing") } : {}),
    };
    const faults = {
      ...proof,
      ...(name === "" ? { name: words.say("page.accountMissing") } : {}),
      ...(password === "" ? { password: words.say("page.passwordMissing") } : {}),
    };
    if (form.refuse(faults)) return;
    if (way === "phrase") await call("POST /v1/accounts", { body: { name, password, phrase } });
    else await call("POST /v1/accounts/import", { body: { name, password, ...(way === "key" ? { privateKey } : { keystore, keystorePassword }) } });
    await signIn(name, password);
    form.done();
    go(to === "/" ? "/account" : to, "replace");
  }

  return (
    <div className="door stack">
      <Title text={words.say("page.recoverAccount")} />
      <p className="soft">{words.say("page.recoverWhy")}</p>
      <Form form={form} action={words.say("page.recoverAccount")} onSend={recover}>
        <ChoiceField form={form} name="way" label={words.say("page.recoverFrom")} options={[
          ["phrase", words.say("page.recoveryPhrase")], ["key", words.say("page.privateKey")], ["keystore", words.say("page.keystoreFile")],
        ]} />
        {way === "phrase" && (
          <TextField form={form} name="phrase" label={words.say("page.recoveryPhrase")} hint={words.say("page.phraseHint")} isLong lang="en" autoComplete="off" />
        )}
        {way === "key" && (
          <PasswordField form={form} name="privateKey" label={words.say("page.privateKey")} hint={words.say("page.keyHint")} autoComplete="off" />
        )}
        {way === "keystore" && (
          <>
            <KeystoreField form={form} name="keystore" />
            <PasswordField form={form} name="keystorePassword" label={words.say("page.keystorePassword")} hint={words.say("page.keystorePasswordHint")} autoComplete="off" />
          </>
        )}
        <TextField form={form} name="name" label={words.say("page.accountName")} hint={words.say("page.recoverNameHint")} autoComplete="username" />
        <PasswordField form={form} name="password" label={words.say("page.newPassword")} hint={words.say("page.newPasswordHint")} autoComplete="new-password" />
      </Form>
      <p className="door-ways note">
        <Link to={withTo("/sign-in", to)}>{words.say("page.signIn")}</Link>
        <Link to={withTo("/sign-up", to)}>{words.say("page.signUp")}</Link>
      </p>
    </div>
  );
}
