import { useState } from "react";
import type { Listing, PieceChange } from "../shared/api";
import { call } from "../shared/call";
import { launch } from "../shared/intents";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { ConsentDialog } from "../shared/parts/ConsentDialog";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useCall } from "../shared/useCall";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { problemsBesideMoney } from "../shared/sentences";
import { countOf } from "./listingValues";

interface Props {
  readonly listing: Listing;
  readonly onClose: () => void;
}

/** Lists more pieces of a thing, or withdraws free ones. */
export function PiecesDialog({ listing, onClose }: Props) {
  const words = useWords();
  const form = useForm<{ readonly how: string; readonly count: string }>({ how: "add", count: "1" },
    { called: { add: "count", withdraw: "count", pieces: "count" } });
  const [asked, setAsked] = useState<PieceChange | null>(null);
  const { how } = form.values;

  async function check(): Promise<void> {
    const count = countOf(form.values.count);
    if (count === null) return void form.refuse({ count: words.say("page.notWhole") });
    const body = how === "add" ? { add: count } : { withdraw: count };
    const { problems } = await call("POST /v1/listings/{id}/pieces/preview", { path: { id: listing.id }, body, query: {} });
    if (!form.show(problemsBesideMoney(problems))) setAsked(body);
  }

  if (asked !== null) return <PiecesConsent listing={listing} change={asked} onClose={onClose} />;
  return (
    <Dialog title={words.say("page.changePieces")} onClose={onClose}>
      <Form form={form} action={words.say("page.seePreview")} onSend={check}>
        {listing.pieces != null && <p className="soft note">{words.say("page.piecesLeft", { ...listing.pieces })}</p>}
        <ChoiceField form={form} name="how" label={words.say("page.changePieces")}
          options={[["add", words.say("page.addPieces")], ["withdraw", words.say("page.withdrawPieces")]]} />
        <TextField form={form} name="count" label={words.say("page.howMany")} inputMode="numeric" autoComplete="off"
          hint={words.say(how === "add" ? "page.addPiecesWhy" : "page.withdrawPiecesWhy")} />
      </Form>
    </Dialog>
  );
}

/** Shows what that costs or brings back, and asks once. */
function PiecesConsent({ listing, change, onClose }: Props & { readonly change: PieceChange }) {
  const words = useWords();
  const path = { id: listing.id };
  const preview = useCall("POST /v1/listings/{id}/pieces/preview", { path, body: change, query: {} }, ["sale"]);
  const action = words.say(change.add == null ? "page.withdrawPieces" : "page.addPieces");
  return (
    <ConsentDialog title={action} action={action} of={preview} onClose={onClose}
      onAgree={(query, key) => launch("POST /v1/listings/{id}/pieces", { path, body: change, query }, `/listings/${listing.id}`, key)} />
  );
}
