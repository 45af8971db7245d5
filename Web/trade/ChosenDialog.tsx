import type { Sale } from "../shared/api";
import { EvaluateDialog } from "../learn/EvaluateDialog";
import { RepeatDialog } from "../learn/RepeatDialog";
import { AddressDialog } from "./AddressDialog";
import { MoveDialog } from "./MoveDialog";
import type { Chosen } from "./Moves";
import { SentDialog } from "./SentDialog";

interface Props {
  readonly sale: Sale;
  readonly chosen: Chosen;
  readonly onClose: () => void;
  /** Called with the operation once it has begun. */
  readonly onBegun: (operation: string) => void;
  /** Called once something was told without an operation. */
  readonly onTold: () => void;
  readonly onChoose: (chosen: Chosen) => void;
}

/** The question of what the person has chosen to do in a sale. */
export function ChosenDialog({ sale, chosen, onClose, onBegun, onTold, onChoose }: Props) {
  if (chosen.kind === "sent") return <SentDialog sale={sale} onClose={onClose} onDone={onTold} />;
  if (chosen.kind === "address") return <AddressDialog sale={sale} onClose={onClose} onDone={onTold} />;
  const { action } = chosen;
  if (action.move === "evaluate") return <EvaluateDialog sale={sale} action={action} onClose={onClose} onBegun={onBegun} />;
  if (action.move === "repeat") return <RepeatDialog sale={sale} onClose={onClose} onBegun={onBegun} />;
  return <MoveDialog key={action.move} sale={sale} action={action} onClose={onClose} onBegun={onBegun} onChoose={onChoose} />;
}
