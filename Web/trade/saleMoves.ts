import type { Sale, SaleAction } from "../shared/api";
import type { PlainCode } from "../shared/words";

interface Move {
  /** The words of its button. */
  readonly does: PlainCode;
  /** What the history says. */
  readonly did: PlainCode;
  /** Whether it gives something up. */
  readonly isDanger?: true;
}

/** The moves of sales that the page makes, settlement before dispute. */
const moves: Readonly<Record<string, Move>> = {
  agree: { does: "page.moveAgree", did: "page.didAgree" },
  transfer: { does: "page.moveTransfer", did: "page.didTransfer" },
  confirm: { does: "page.moveConfirm", did: "page.didConfirm" },
  claim: { does: "page.moveClaim", did: "page.didClaim" },
  end: { does: "page.moveEnd", did: "page.didEnd" },
  take: { does: "page.moveTake", did: "page.didTake" },
  rule: { does: "page.moveRule", did: "page.didRule" },
  propose: { does: "page.movePropose", did: "page.didPropose" },
  withdraw_proposal: { does: "page.moveWithdrawProposal", did: "page.didWithdrawProposal" },
  dispute: { does: "page.moveDispute", did: "page.didDispute", isDanger: true },
  relist: { does: "page.moveRelist", did: "page.didRelist" },
  refund: { does: "page.moveRefund", did: "page.didRefund", isDanger: true },
  decline: { does: "page.moveDecline", did: "page.didDecline", isDanger: true },
  abort: { does: "page.moveAbort", did: "page.didAbort", isDanger: true },
  execute_default: { does: "page.moveDefault", did: "page.didDefault", isDanger: true },
  begin: { does: "page.moveBegin", did: "page.didBegin" },
  evaluate: { does: "page.moveEvaluate", did: "page.didEvaluate" },
  settle: { does: "page.moveSettle", did: "page.didSettle" },
  repeat: { does: "page.moveRepeat", did: "page.didRepeat" },
  leave: { does: "page.moveLeave", did: "page.didLeave", isDanger: true },
  cancel: { does: "page.moveCancel", did: "page.didCancel", isDanger: true },
};

/** What the history says of moves that are made on other screens. */
const others: Readonly<Record<string, PlainCode>> = { list: "page.didList", buy: "page.didBuy", pay: "page.didBuy", bid: "page.didBid" };

/** The moves that the node's next steps name. */
const movesOfSteps: Readonly<Record<string, string>> = {
  "next.agree": "agree", "next.claim": "claim", "next.confirm": "confirm", "next.dispute": "dispute", "next.end": "end",
  "next.executeDefault": "execute_default", "next.propose": "propose", "next.rule": "rule", "next.send": "transfer",
  "next.sendTo": "transfer", "next.takeBack": "refund", "next.takeDispute": "take",
  "next.release": "transfer",
  "next.begin": "begin", "next.cancelRound": "cancel", "next.leaveRound": "refund", "next.evaluate": "evaluate", "next.settle": "settle",
};

/** What the history says of a move; undefined for one without words of the page. */
export function didOf(name: string): PlainCode | undefined {
  return moves[name]?.did ?? others[name];
}

/** How a move is called; undefined for one that the sale's screen does not make. */
export function moveOf(name: string): Move | undefined {
  return moves[name];
}

/** The words of a move's button: a refund is something else for each side. */
export function doesOf(sale: Sale, move: string): PlainCode {
  if (move === "transfer" && sale.nextSteps.some((step) => step.words.code === "next.release")) return "page.moveRelease";
  if (move === "refund" && sale.course != null) return "page.moveRefundSeat";
  if (move === "refund" && sale.phase === "paid") return "page.moveTakeBack";
  return moves[move]?.does ?? "page.moveAgree";
}

/** The moves open to the account, the likeliest first, and settling before disputing. */
export function openMoves(sale: Sale): readonly SaleAction[] {
  const order = Object.keys(moves);
  const likely = sale.nextSteps.map((step) => movesOfSteps[step.words.code]).find((move) => move !== undefined);
  const place = ({ move }: SaleAction): number => (move === likely ? -1 : order.indexOf(move));
  return sale.actions.filter(({ move }) => moves[move] !== undefined).sort((one, other) => place(one) - place(other));
}

/** The move that the account is expected to make now. */
export function expectedMove(sale: Sale): string | undefined {
  if (!sale.isOwnTurn) return undefined;
  return sale.nextSteps.map((step) => movesOfSteps[step.words.code]).find((move) => sale.actions.some((one) => one.move === move));
}
