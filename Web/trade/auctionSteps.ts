import type { Sale } from "../shared/api";
import type { MeterStep } from "../shared/parts/Meter";
import type { Words } from "../shared/words";

/** How far an auction has come: bids, its end, and for the two sides whether the item was sent. */
export function auctionSteps(sale: Sale, offered: MeterStep, words: Words): readonly MeterStep[] {
  const isOver = sale.stage === "over";
  const bids = sale.history.filter((step) => step.move === "bid");
  const isUnsold = isOver && sale.phase !== "sold";
  if (isUnsold) {
    return [offered, { name: words.alone(words.named("phase", sale.phase)), at: sale.since ?? undefined, state: "failed" }];
  }
  const isOpen = sale.auction?.isOpen === true;
  const bidding: MeterStep = { name: words.say("page.stepBids"), at: bids[0]?.at, state: isOpen && !isOver ? "now" : "done" };
  const ended: MeterStep = {
    name: words.say(sale.own === "buyer" ? "page.stepWon" : "page.stepSold"), at: isOver ? sale.since ?? undefined : undefined,
    state: isOver ? "done" : isOpen ? "later" : "now",
  };
  if (sale.own === "lost") return [offered, bidding, { ...ended, name: words.say("page.stepLost"), state: "failed" }];
  if (isOver && sale.isToBeSent == null) return [offered, bidding, ended];
  return [offered, bidding, ended, { name: words.say("page.stepSent"), state: !isOver ? "later" : sale.isToBeSent === true ? "now" : "done" }];
}
