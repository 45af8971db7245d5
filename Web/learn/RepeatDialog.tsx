import type { Sale } from "../shared/api";
import { call } from "../shared/call";
import { unitOf } from "../shared/currencies";
import { CheckField } from "../shared/parts/CheckField";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { Shown } from "../shared/parts/Shown";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { PreviewShown } from "../trade/PreviewShown";
import { forPeople, problemsForPeople } from "../trade/sentences";
import { useIntent } from "../trade/useIntent";
import { calledByNode, ownFaults, priceOf, termsOf, valuesOf, type RoundValues } from "./rounds";
import { usePreview } from "../trade/usePreview";

interface Props {
  readonly sale: Sale;
  readonly onClose: () => void;
  readonly onBegun: (operation: string) => void;
}

/** Opening the next round of a course: its seats, its price and its times, and what is signed. */
export function RepeatDialog({ sale, onClose, onBegun }: Props) {
  const words = useWords();
  const last = sale.course?.rounds.at(-1);
  const unit = unitOf(sale.price.currency, sale.chain);
  const decimals = unit?.decimals ?? 0;
  const name = `repeat.${sale.id}.${last?.number ?? 0}`;
  const first = last === undefined
    ? { seats: "", price: "", startsAt: "", endsAt: "", beginDays: "3", ratingDays: "14", acceptsOneSource: false } : valuesOf(last, decimals);
  const form = useForm<RoundValues>(first, { keep: name, called: calledByNode });
  const { values } = form;
  const intent = useIntent(name);
  const own = ownFaults(values, decimals);
  const body = {
    move: "repeat", course: termsOf(values), price: priceOf(values, sale.price.currency, decimals),
    ...(values.acceptsOneSource && { acceptsOneSource: true }),
  };
  const reading = usePreview("POST /v1/sales/{id}/moves/preview", own.length === 0 ? { path: { id: sale.id }, body, query: {} } : null, ["sale"]);
  const days = words.say("page.daysUnit");

  async function send(): Promise<void> {
    if (form.show(own)) return;
    const preview = await call("POST /v1/sales/{id}/moves/preview", { path: { id: sale.id }, body, query: {} });
    if (form.show(problemsForPeople(preview.problems))) return;
    const begun = await intent((once) => call("POST /v1/sales/{id}/moves", {
      once, path: { id: sale.id }, body, query: { feeMax: reading.answer?.feeMax ?? preview.feeMax ?? "0" },
    }));
    form.done();
    onBegun(begun.id);
  }

  return (
    <Dialog title={words.say("page.moveRepeat")} onClose={onClose}>
      <Form form={form} action={words.say("page.moveRepeat")} onSend={send} isWaiting={reading.isWaiting}>
        <div className="pair">
          <TextField form={form} name="seats" label={words.say("label.seats")} inputMode="numeric" autoComplete="off" />
          <TextField form={form} name="price" label={words.say("page.priceOfSeat")} inputMode="decimal" autoComplete="off" unit={unit?.symbol} />
        </div>
        <TextField form={form} name="startsAt" label={words.say("label.starts")} type="datetime-local" hint={words.say("page.courseStartHint")} />
        <TextField form={form} name="endsAt" label={words.say("label.ends")} type="datetime-local" />
        <div className="pair">
          <TextField form={form} name="beginDays" label={words.say("page.beginDays")} inputMode="numeric" autoComplete="off" unit={days} />
          <TextField form={form} name="ratingDays" label={words.say("page.ratingDays")} inputMode="numeric" autoComplete="off" unit={days} />
        </div>
        {(reading.answer?.restsOnOneSource === true || values.acceptsOneSource) && (
          <CheckField form={form} name="acceptsOneSource">{words.say("page.acceptsOneSource")}</CheckField>
        )}
        {own.length === 0 && (
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
        )}
      </Form>
    </Dialog>
  );
}
