import type { ChainStatus } from "../shared/api";
import { Link } from "../shared/parts/Link";
import { Notice } from "../shared/parts/Notice";
import { useWords } from "../shared/words";

interface Props {
  readonly all: readonly ChainStatus[];
  readonly chosen: number | undefined;
  /** The path of the screen. */
  readonly path?: string;
}

/** The chains to choose from, if there are several, and what is wrong with the chosen one. */
export function Chains({ all, chosen, path = "/wallet" }: Props) {
  const words = useWords();
  const warnings = all.find((one) => one.chain === chosen)?.warnings ?? [];
  return (
    <>
      {all.length > 1 && (
        <nav className="choices" aria-label={words.say("page.chains")}>
          {all.map((one) => (
            <Link key={one.chain} to={`${path}?chain=${one.chain}`} className="pill" aria-current={one.chain === chosen}>
              {one.native?.name ?? one.native?.symbol ?? words.say("page.chain")} <span className="soft">{one.chain}</span>
            </Link>
          ))}
        </nav>
      )}
      {warnings.length > 0 && <Notice kind="warn">{warnings.map((one) => <p key={one.detail}>{words.said(one)}</p>)}</Notice>}
    </>
  );
}
