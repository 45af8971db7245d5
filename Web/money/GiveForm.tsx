import { useState } from "react";
import type { Gift, Item } from "../shared/api";
import { call } from "../shared/call";
import { launch } from "../shared/intents";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { FeeChoice } from "./FeeChoice";
import { useFees } from "./useFees";

interface Props {
  readonly item: Item;
  /** The words for it. */
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks who gets a token, and gives it away after one consent. */
export function GiveForm({ item, name, onClose }: Props) {
  const words = useWords();
  const form = useForm({ to: "" });
  const [gift, setGift] = useState<Gift | null>(null);

  async function preview(): Promise<void> {
    const to = form.values.to.trim();
    if (form.refuse(to === "" ? { to: words.say("page.receiverMissing") } : {})) return;
    const body: Gift = { to, token: item.token, chain: item.chain };
    const { problems } = await call("POST /v1/items/give/preview", { body, query: {} });
    if (form.show(problems)) return;
    form.done();
    setGift(body);
  }

  if (gift !== null) return <GiveDialog gift={gift} onClose={onClose} />;
  return (
    <Dialog title={words.say("page.giveAway")} onClose={onClose}>
      <Form form={form} action={words.say("page.seePreview")} onSend={preview}>
        <p><bdi className="strong">{name}</bdi></p>
        <p className="soft note">{words.say("page.giveAwayWhy")}</p>
        <TextField form={form} name="to" label={words.say("page.receiver")} hint={words.say("page.receiverHint")} autoComplete="off" />
      </Form>
    </Dialog>
  );
}

function GiveDialog({ gift, onClose }: { readonly gift: Gift; readonly onClose: () => void }) {
  const words = useWords();
  const fees = useFees("POST /v1/items/give/preview", { body: gift });
  return (
    <ConsentDialog title={words.say("page.giveAway")} action={words.say("page.giveAway")} of={fees.of} onClose={onClose}
      onAgree={({ feeMax }, key, shown) => {
        // The account that was shown: a name can mean another one by then.
        const to = shown.receiver?.account ?? gift.to;
        launch("POST /v1/items/give", { body: { ...gift, to }, query: { feeMax, feeSpeed: fees.speed } }, "/wallet/tokens", key);
      }}>
      <FeeChoice fees={fees} />
    </ConsentDialog>
  );
}
