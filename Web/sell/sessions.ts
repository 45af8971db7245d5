import type { CurriculumSessionInput } from "../shared/api";

/** How many sessions a curriculum has at most. */
export const sessionsMax = 40;

/** The sessions in a form's value. */
export function sessionsOf(text: string): readonly CurriculumSessionInput[] {
  try {
    const found: unknown = JSON.parse(text);
    return Array.isArray(found) ? found as readonly CurriculumSessionInput[] : [];
  } catch {
    return [];
  }
}

/** The sessions that say something, as the call takes them. */
export function givenSessions(text: string): readonly CurriculumSessionInput[] {
  return sessionsOf(text).map(({ title, content }) => ({ title: title.trim(), content: content.trim() }))
    .filter(({ title, content }) => title !== "" || content !== "");
}
