import { nameOfTown, pointIn, pointText, type ChosenPlace } from "../shared/places";
import { useCall } from "../shared/useCall";
import { useWords } from "../shared/words";

/** The place near which an address searches, with the name of the nearest town; null if it states none. */
export function useNear(query: URLSearchParams): ChosenPlace | null {
  const words = useWords();
  const point = pointIn(query.get("near") ?? "");
  const near = useCall("GET /v1/places", point === null ? null : { query: { near: pointText(point), lang: words.language, limit: 1 } });
  const town = near.answer?.[0];
  if (point === null) return null;
  return { name: town === undefined ? "…" : nameOfTown(town), point };
}
