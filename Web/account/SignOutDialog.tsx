import { CheckField } from "../shared/parts/CheckField";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { go } from "../shared/router";
import { signOut } from "../shared/signIn";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";

/** Asks whether to sign out here or everywhere, and says what is forgotten. */
export function SignOutDialog({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const form = useForm({ isEverywhere: false });

  async function leave(): Promise<void> {
    form.done();
    // The node takes the cookie back, which pictures would still be asked for with; a node that is away is not waited for.
    await Promise.race([signOut(form.values.isEverywhere), new Promise((done) => window.setTimeout(done, 1_000))]);
    go("/");
  }

  return (
    <Dialog title={words.say("page.signOut")} onClose={onClose}>
      <Form form={form} action={words.say("page.signOut")} onSend={leave}>
        <p>{words.say("page.signOutWhy")}</p>
        <CheckField form={form} name="isEverywhere">{words.say("page.signOutEverywhere")}</CheckField>
      </Form>
    </Dialog>
  );
}
