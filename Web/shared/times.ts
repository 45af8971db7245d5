const formats = new Map<string, Intl.DateTimeFormat>();

function format(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = language + JSON.stringify(options);
  const made = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, made);
  return made;
}

/** Day and time in the reader's own zone, such as '31 Jan 2027, 19:00'; a text that is no time stays. */
export function dateTime(time: string, language: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : format(language, { dateStyle: "medium", timeStyle: "short" }).format(date);
}

/** The day alone. */
export function day(time: string, language: string): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? time : format(language, { dateStyle: "medium" }).format(date);
}

const steps = [["day", 86_400], ["hour", 3_600], ["minute", 60]] as const;

/** How far a time is from now in the largest unit, such as 'in 3 days' or '2 hours ago'. */
export function fromNow(time: string, language: string, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const [unit, length] = steps.find(([, of]) => Math.abs(seconds) >= of) ?? (["second", 1] as const);
  // A second more or less is not news.
  if (unit === "second") return relative.format(seconds > 0 ? 1 : 0, "minute");
  // 'Tomorrow' and 'in 3 days' are days of the calendar, not spans of 24 hours.
  if (unit === "day") return relative.format(dayOf(new Date(time)) - dayOf(new Date(now)), unit);
  return relative.format(Math.trunc(seconds / length), unit);
}

/** The number of a calendar day in the reader's own zone. */
function dayOf(date: Date): number {
  return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}
