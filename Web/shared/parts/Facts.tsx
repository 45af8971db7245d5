import type { ReactNode } from "react";

/** Names and values below each other; a fact without a value is left out. */
export function Facts({ of }: { readonly of: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {of.filter(([, value]) => value !== null).map(([name, value]) => (
        <div key={name} className="fact"><dt>{name}</dt><dd>{value}</dd></div>
      ))}
    </dl>
  );
}
