import type { ListingMedia } from "../api";
import { short } from "../addresses";
import { names } from "../currencies";
import { useStore } from "../store";
import { Avatar } from "./Avatar";
import { Link } from "./Link";

interface Props {
  readonly account: string;
  /** The name in its profile, which it has chosen itself. */
  readonly name?: string | null | undefined;
  readonly avatar?: ListingMedia | null | undefined;
  readonly size?: "mini" | "normal" | "big";
  /** Whether it leads to the account's own screen. */
  readonly isLink?: boolean;
}

/** An account: its picture or first letter, its name and, since anybody can choose a name, its address. */
export function Person({ account, name, avatar, size = "normal", isLink = true }: Props) {
  const known = useStore(names).get(account.toLowerCase());
  const shown = known ?? name ?? null;
  const inner = (
    <>
      <Avatar picture={avatar} name={shown ?? account.slice(2)} size={size} />
      <span className="one-line">
        {shown !== null && <bdi>{shown}</bdi>} <span className="address soft">{short(account)}</span>
      </span>
    </>
  );
  return isLink
    ? <Link to={`/accounts/${account}`} className="person">{inner}</Link>
    : <span className="person">{inner}</span>;
}
