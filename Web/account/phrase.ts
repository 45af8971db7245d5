/** The words of a text, in small letters and without line breaks and numbers before them. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().split(/[\s,;]+/).map((word) => word.replace(/^\d+[.)]?/, "")).filter((word) => word !== "");
}

/** Whether a text looks like a recovery phrase, which somebody may take for a password. */
export function isLikePhrase(text: string): boolean {
  const words = text.trim().split(/\s+/);
  return words.length >= 12 && words.every((word) => /^[a-z]{3,8}$/i.test(word));
}

/** Chooses positions of a phrase to ask for, in order, from 0. */
export function chosenPositions(length: number, count: number): readonly number[] {
  const left = Array.from({ length }, (_, position) => position);
  const chosen: number[] = [];
  for (const random of crypto.getRandomValues(new Uint32Array(count))) chosen.push(...left.splice(random % left.length, 1));
  return chosen.sort((one, other) => one - other);
}
