import type { CourseTerms, SaleRound } from "../shared/api";

/** The times of a round, as texts that Time takes. */
export interface CourseTimes {
  readonly start: string;
  readonly end: string;
  /** Until when a student can leave and be paid back. */
  readonly leaveUntil: string;
  /** Until when the teacher can begin; afterwards anyone can cancel. */
  readonly beginUntil: string;
  /** Until when students can rate; then it is settled. */
  readonly rateUntil: string;
}

/** Docs/contracts.md, section 12. */
const leaveSeconds = 86_400;
const beginDefault = 3 * 86_400;
const ratingDefault = 14 * 86_400;

function text(seconds: number): string {
  return new Date(seconds * 1_000).toISOString();
}

export function timesOf({ startsAt, endsAt, beginSeconds, ratingSeconds }: CourseTerms): CourseTimes {
  return {
    start: text(startsAt), end: text(endsAt), leaveUntil: text(startsAt - leaveSeconds),
    beginUntil: text(Math.min(startsAt + (beginSeconds ?? beginDefault), endsAt)),
    rateUntil: text(endsAt + (ratingSeconds ?? ratingDefault)),
  };
}

/** The rounds of a course, the last one first. */
export function latestFirst(rounds: readonly SaleRound[]): readonly SaleRound[] {
  return rounds.slice().sort((one, other) => other.number - one.number);
}

/** The name of a round as the node says it. */
export function roundName({ number }: Pick<SaleRound, "number">): { code: string; values: Record<string, string>; detail: string } {
  return number === 0 ? { code: "round.first", values: {}, detail: "0" } : { code: "round.later", values: { number: String(number) }, detail: String(number) };
}
