import type { Sale, SaleAction } from "../shared/api";
import { ChoiceField } from "../shared/parts/ChoiceField";
import { Dialog } from "../shared/parts/Dialog";
import { Form } from "../shared/parts/Form";
import { useForm } from "../shared/useForm";
import { useWords } from "../shared/words";
import { criteria } from "./Criteria";
import { averageOf } from "./StudentList";
import { MovePreview } from "../trade/MovePreview";
import { useMove } from "../trade/useMove";

const questions = {
  preparation: "page.questionPreparation", content: "page.questionContent", delivery: "page.questionDelivery",
  communication: "page.questionCommunication", overall: "page.questionOverall",
} as const;

type Values = Readonly<Record<(typeof criteria)[number], string>> & { readonly acceptsOneSource: boolean };

/** The answers that a question has, in steps of 20. */
const steps = ["0", "20", "40", "60", "80", "100"];

interface Props {
  readonly sale: Sale;
  readonly action: SaleAction;
  readonly onClose: () => void;
  readonly onBegun: (operation: string) => void;
}

/** Rating a round: five questions, their average, and what is signed. */
export function EvaluateDialog({ sale, action, onClose, onBegun }: Props) {
  const words = useWords();
  const name = `evaluate.${sale.id}.${action.round ?? ""}`;
  const form = useForm<Values>(
    { preparation: "", content: "", delivery: "", communication: "", overall: "", acceptsOneSource: false }, { keep: name },
  );
  const { values } = form;
  const points = criteria.filter((one) => values[one] !== "").map((one) => Number(values[one]));
  const isWhole = points.length === criteria.length;
  const move = {
    move: "evaluate", points, ...(action.round != null && { round: action.round }), ...(values.acceptsOneSource && { acceptsOneSource: true }),
  };
  const { reading, make } = useMove({ sale, move: isWhole ? move : null, name, form, onBegun, milliseconds: 0 });

  async function send(): Promise<void> {
    const missing = criteria.filter((one) => values[one] === "");
    if (form.refuse(Object.fromEntries(missing.map((one) => [one, words.say("page.chooseOne")])))) return;
    await make();
  }

  return (
    <Dialog title={words.say("page.moveEvaluate")} onClose={onClose}>
      <Form form={form} action={words.say("page.moveEvaluate")} onSend={send} isWaiting={reading.isWaiting}>
        <p className="soft note">{words.say("page.evaluateWhy")}</p>
        {criteria.map((one) => (
          <ChoiceField key={one} form={form} name={one} label={words.say(questions[one])} options={steps.map((step) => [step, `${step} %`] as const)} />
        ))}
        <p className="strong" role="status">{isWhole && words.say("page.averageOf", { average: averageOf(points) })}</p>
        <MovePreview of={reading} form={form} isWhole={isWhole} />
      </Form>
    </Dialog>
  );
}
