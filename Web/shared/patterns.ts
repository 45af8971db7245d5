/** A place in a pattern that a value fills. */
export interface Placeholder {
  readonly name: string;
  /** Empty for a text; otherwise as in Docs/api.md, section 1.5. */
  readonly type: string;
  /** Of a plural, the texts by the kind of number. */
  readonly forms: string;
}

/** Splits a pattern into texts and places, in order. A place that does not end is a text. */
export function parts(pattern: string): readonly (string | Placeholder)[] {
  const found: (string | Placeholder)[] = [];
  let rest = pattern;
  for (;;) {
    const start = rest.indexOf("{");
    const end = start < 0 ? -1 : closing(rest, start);
    if (end < 0) return rest === "" ? found : [...found, rest];
    if (start > 0) found.push(rest.slice(0, start));
    const [name = "", type = "", ...forms] = rest.slice(start + 1, end).split(",");
    found.push({ name: name.trim(), type: type.trim(), forms: forms.join(",") });
    rest = rest.slice(end + 1);
  }
}

function closing(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index++) {
    if (text[index] === "{") depth++;
    if (text[index] === "}" && --depth === 0) return index;
  }
  return -1;
}

/** The text of a plural for a number, with the number instead of '#'. */
export function plural(forms: string, value: string, rules: Intl.PluralRules): string {
  const kind = rules.select(Number(value));
  const form = named(forms, kind) ?? named(forms, "other") ?? "#";
  return form.replaceAll("#", value);
}

function named(forms: string, kind: string): string | undefined {
  const start = forms.indexOf(`${kind} {`);
  if (start < 0) return undefined;
  const from = start + kind.length + 2;
  const end = forms.indexOf("}", from);
  return end < 0 ? undefined : forms.slice(from, end);
}
