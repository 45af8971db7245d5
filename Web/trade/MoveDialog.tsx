import type { Sale, SaleAction } from "../shared/api";
import { call } from "../shared/call";
import { Button } from "../shared/parts/Button";
import { CheckField } from "../shared/parts/CheckField";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { PictureField } from "../shared/parts/PictureField";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import type { Chosen } from "./Moves";
import { doesOf, moveOf } from "./saleMoves";
import { PreviewShown } from "./PreviewShown";
import { forPeople, problemsForPeople } from "./sentences";
import { ShareField } from "./ShareField";
import { useIntent } from "./useIntent";
import { usePreview } from "./usePreview";

/** How many pictures go with a note. */
export const picturesOfNoteMax = 6;

type MoveValues = { readonly share: string; readonly note: string; readonly acceptsOneSource: boolean };

interface Props {
  readonly sale: Sale;
  readonly action: SaleAction;
  readonly onClose: () => void;
  /** Called with the operation once it has begun. */
  readonly onBegun: (operation: string) => void;
  readonly onChoose: (chosen: Chosen) => void;
}

/** A move of a sale: what it needs, what it costs, what happens then; and it is made once. */
export function MoveDialog({ sale, action, onClose, onBegun, onChoose }: Props) {
  const words = useWords();
  const { move } = action;
  const name = `move.${sale.id}.${move}`;
  const form = useForm<MoveValues>({ share: "5000", note: "", acceptsOneSource: false }, { keep: name });
  const uploads = useUploads(picturesOfNoteMax, name);
  const intent = useIntent(name);
  const isShare = move === "propose" || move === "rule";
  const isArbiter = sale.own === "arbiter";
  const hasNote = sale.escrow != null && sale.buyer != null;
  const settlement = move === "dispute" ? sale.actions.find((one) => one.move === "propose") : undefined;
  const body = {
    move,
    ...(isShare && { share: Number(form.values.share) }),
    ...(!isShare && action.share != null && { share: action.share }),
    ...(action.round != null && { round: action.round }),
    ...(form.values.acceptsOneSource && { acceptsOneSource: true }),
  };
  const reading = usePreview("POST /v1/sales/{id}/moves/preview", { path: { id: sale.id }, body, query: {} }, ["sale", "operation"], 150);
  const does = words.say(doesOf(sale, move));

  async function send(): Promise<void> {
    if (uploads.isBusy && form.refuse({ pictures: words.say("page.uploadsUnderWay") })) return;
    const preview = await call("POST /v1/sales/{id}/moves/preview", { path: { id: sale.id }, body, query: {} });
    if (form.show(problemsForPeople(preview.problems))) return;
    const note = form.values.note.trim();
    const begun = await intent((once) => call("POST /v1/sales/{id}/moves", {
      once, path: { id: sale.id }, query: { feeMax: reading.answer?.feeMax ?? preview.feeMax ?? "0" },
      body: { ...body, ...(note !== "" && { note }), ...(uploads.ids.length > 0 && { pictures: uploads.ids }) },
    }));
    form.done();
    uploads.done();
    onBegun(begun.id);
  }

  return (
    <Dialog title={does} onClose={onClose}>
      {settlement !== undefined && (
        <Notice>
          <p>{words.say("page.settleFirst")}</p>
          <p><Button isSmall onClick={() => onChoose({ kind: "move", action: settlement })}>{words.say("page.movePropose")}</Button></p>
        </Notice>
      )}
      {move === "confirm" && <Notice kind="warn"><p>{words.say("page.confirmWarning")}</p></Notice>}
      <Form form={form} action={does} onSend={send} isWaiting={reading.isWaiting} look={moveOf(move)?.isDanger ? "danger" : "main"}>
        {isShare && <ShareField form={form} name="share" sale={sale} />}
        {hasNote && (
          <>
            <TextField form={form} name="note" isLong
              label={words.say(move === "dispute" ? "page.noteReason" : isArbiter ? "page.noteToBoth" : "page.noteToOther")}
              hint={words.say(move === "transfer" ? "page.noteHint" : isArbiter ? "page.noteSealedBoth" : "page.noteSealed")} />
            <PictureField uploads={uploads} label={words.say("page.pictures")} max={picturesOfNoteMax} faults={form.faults.get("pictures")} />
          </>
        )}
        {(reading.answer?.restsOnOneSource || form.values.acceptsOneSource) && (
          <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>
        )}
        <div className="move-preview stack" aria-live="polite">
          <Shown of={reading}>
            {(preview) => (
              <>
                <div className="stack close">{forPeople(preview.summary).map((one) => <p key={one.code}>{words.said(one)}</p>)}</div>
                <PreviewShown preview={preview} isExplained />
              </>
            )}
          </Shown>
        </div>
      </Form>
    </Dialog>
  );
}
