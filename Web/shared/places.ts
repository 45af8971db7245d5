import type { GeographicPoint, Place } from "./api";

/** A place that somebody chose: a town, or a point with the town that it is near. */
export interface ChosenPlace {
  readonly name: string;
  /** Null for a text that somebody typed. */
  readonly point: GeographicPoint | null;
}

/** The distances that a search offers, in kilometres. */
export const distances = [5, 10, 25, 50, 100, 250, 500] as const;

/** A town with its region and country, such as 'Springfield, Illinois, United States'. */
export function nameOfTown({ name, region, countryName }: Place): string {
  return [...new Set([name, region ?? "", countryName])].filter((part) => part !== "").join(", ");
}

/** A point as the API takes it in an address, such as '48.137,11.575'. */
export function pointText({ latitude, longitude }: GeographicPoint): string {
  return `${latitude},${longitude}`;
}

/** The point that a text of an address states; null if it is none. */
export function pointIn(text: string): GeographicPoint | null {
  const found = /^(-?\d{1,2}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/.exec(text);
  if (found === null) return null;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}

/** A distance in kilometres, in the reader's digits. */
export function kilometres(metres: number, language: string): string {
  const digits = metres < 10_000 ? 1 : 0;
  return new Intl.NumberFormat(language, { style: "unit", unit: "kilometer", maximumFractionDigits: digits }).format(metres / 1000);
}
