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
    // It has ended here at once; a node that is away must not lead the person away later.
    const told = signOut(form.values.isEverywhere);
    go("/");
    await told;
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
