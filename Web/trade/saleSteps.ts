import type { Sale } from "../shared/api";
import type { MeterStep } from "../shared/parts/Meter";
import type { Words } from "../shared/words";
import { auctionSteps } from "./auctionSteps";
import { courseSteps } from "../learn/courseSteps";

/** How far a sale has come, in steps with their days. */
export function saleSteps(sale: Sale, words: Words): readonly MeterStep[] {
  if (sale.course != null) return courseSteps(sale, words);
  const isOver = sale.stage === "over";
  const isSold = sale.stage !== "offered";
  const offered: MeterStep = { name: words.say("page.stepOffered"), at: sale.history[0]?.at, state: isSold || isOver ? "done" : "now" };
  if (sale.auction != null) return auctionSteps(sale, { ...offered, state: "done" }, words);
  const status = words.alone(words.named("phase", sale.phase));
  const paid = latest(sale, ["buy", "pay"]);
  if (paid === undefined) {
    const isUnsold = sale.phase === "aborted" || sale.phase === "unsold";
    if (isOver) return [offered, { name: status, at: sale.since ?? undefined, state: isUnsold ? "failed" : "done" }];
    return [offered, { name: words.say("page.stepPaid"), state: "later" }, { name: words.say("page.stepSent"), state: "later" }];
  }
  const bought: MeterStep = { name: words.say("page.stepPaid"), at: paid, state: "done" };
  if (sale.escrow == null && sale.isToBeSent == null) return [offered, bought];
  if (sale.escrow == null) return [offered, bought, { name: words.say("page.stepSent"), state: sale.isToBeSent === true ? "now" : "done" }];
  const sent = latest(sale, ["transfer"], paid);
  const hasSent: MeterStep = { name: words.say("page.stepSent"), at: sent, state: sent !== undefined ? "done" : isOver ? "later" : "now" };
  if (sale.phase === "disputed") return [offered, bought, hasSent, { name: status, at: sale.since ?? undefined, state: "failed" }];
  if (!isOver) return [offered, bought, hasSent, { name: words.say("page.stepReceived"), state: sent === undefined ? "later" : "now" }];
  const isGood = sale.phase === "complete";
  const end: MeterStep = {
    name: isGood ? words.say("page.stepReceived") : status, at: sale.since ?? undefined,
    state: isGood || sale.phase === "settled" ? "done" : "failed",
  };
  return sent === undefined ? [offered, bought, end] : [offered, bought, hasSent, end];
}

/** When one of the moves was made last, after a time. */
function latest(sale: Sale, moves: readonly string[], after = ""): string | undefined {
  return sale.history.filter((step) => moves.includes(step.move) && step.at >= after).pop()?.at;
}
