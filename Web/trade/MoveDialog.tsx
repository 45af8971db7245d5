import type { Sale, SaleAction } from "../shared/api";
import { Button } from "../shared/parts/Button";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Notice } from "../shared/parts/Notice";
import { PictureField } from "../shared/parts/PictureField";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useUploads } from "../shared/useUploads";
import { useWords } from "../shared/words";
import type { Chosen } from "./Moves";
import { doesOf, moveOf } from "./saleMoves";
import { ShareField } from "./ShareField";
import { MovePreview } from "./MovePreview";
import { useMove } from "./useMove";

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
  const { reading, make } = useMove({
    sale, move: body, name, form, milliseconds: 150,
    onBegun: (operation) => {
      uploads.done();
      onBegun(operation);
    },
  });
  const does = words.say(doesOf(sale, move));

  async function send(): Promise<void> {
    if (uploads.isBusy && form.refuse({ pictures: words.say("page.uploadsUnderWay") })) return;
    const note = form.values.note.trim();
    await make({ ...(note !== "" && { note }), ...(uploads.ids.length > 0 && { pictures: uploads.ids }) });
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
        <MovePreview of={reading} form={form} />
      </Form>
    </Dialog>
  );
}
