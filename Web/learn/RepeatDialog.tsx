import type { Sale } from "../shared/api";
import { unitOf } from "../shared/currencies";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { TextField } from "../shared/parts/TextField";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { calledByNode, ownFaults, priceOf, termsOf, valuesOf, type RoundValues } from "./rounds";
import { MovePreview } from "../trade/MovePreview";
import { useMove } from "../trade/useMove";

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
  const own = ownFaults(values, decimals);
  const move = {
    move: "repeat", course: termsOf(values), price: priceOf(values, sale.price.currency, decimals),
    ...(values.acceptsOneSource && { acceptsOneSource: true }),
  };
  const { reading, make } = useMove({ sale, move: own.length === 0 ? move : null, name, form, onBegun });
  const days = words.say("page.daysUnit");

  async function send(): Promise<void> {
    if (form.show(own)) return;
    await make();
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
        <MovePreview of={reading} form={form} isWhole={own.length === 0} />
      </Form>
    </Dialog>
  );
}
