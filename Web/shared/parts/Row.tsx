import type { ReactNode } from "react";
import { Link } from "./Link";
import { Picture } from "./Picture";

interface Props {
  /** Where the row leads; without it, it is only read. */
  readonly to?: string | undefined;
  readonly title: ReactNode;
  /** The id of a picture, null for a thing that has none; left out, the row has no picture. */
  readonly picture?: string | null | undefined;
  /** At the end, such as an amount. */
  readonly end?: ReactNode;
  readonly children?: ReactNode;
}

/** An entry of a list. */
export function Row({ to, title, picture, end, children }: Props) {
  return (
    <li>
      <div className={picture === undefined ? "row plain" : "row"}>
        {picture !== undefined && <Picture id={picture} name="" size={160} form="tiny" />}
        <div className="row-main">
          <span className="row-title">{to === undefined ? title : <Link to={to}>{title}</Link>}</span>
          {children}
        </div>
        {end !== undefined && <div className="row-end">{end}</div>}
      </div>
    </li>
  );
}
