import type { Sale } from "../shared/api";
import type { MeterStep } from "../shared/parts/Meter";
import type { Words } from "../shared/words";
import { timesOf } from "./courseTimes";

/** How far the last round of a course has come. */
export function courseSteps(sale: Sale, words: Words): readonly MeterStep[] {
  const round = sale.course?.rounds.at(-1);
  if (round === undefined) return [];
  const { start, end } = timesOf(round.terms);
  const opened = sale.history.filter((step) => step.move === "open" || step.move === "list" || step.move === "repeat").pop()?.at;
  const open: MeterStep = { name: words.say("page.stepEnrolment"), at: opened, state: round.phase === "open" ? "now" : "done" };
  if (round.phase === "cancelled") return [open, { name: words.alone(words.said(round.status)), at: sale.since ?? undefined, state: "failed" }];
  const isBegun = round.phase !== "open";
  const isSettled = round.phase === "settled";
  const isOver = new Date(end).getTime() <= new Date(sale.asOf ?? Date.now()).getTime();
  return [
    open,
    { name: words.say("page.stepTeaching"), at: start, state: isSettled || (isBegun && isOver) ? "done" : isBegun ? "now" : "later" },
    { name: words.say("page.stepRating"), at: end, state: isSettled ? "done" : isBegun && isOver ? "now" : "later" },
    { name: words.say("page.stepSettled"), at: isSettled ? sale.since ?? undefined : timesOf(round.terms).rateUntil, state: isSettled ? "done" : "later" },
  ];
}
