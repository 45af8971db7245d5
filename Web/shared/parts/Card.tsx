import type { ReactNode } from "react";
import { Link } from "./Link";
import { Picture } from "./Picture";

interface Props {
  readonly to: string;
  readonly title: string;
  readonly picture: string | null | undefined;
  /** A word on the picture, such as that it is sold. */
  readonly flag?: string | undefined;
  readonly children: ReactNode;
}

/** Something on offer: its picture first, then title and price. */
export function Card({ to, title, picture, flag, children }: Props) {
  return (
    <li className="card">
      <Picture id={picture} name="" />
      {flag !== undefined && <span className="flag">{flag}</span>}
      <h2 className="card-title"><Link to={to}><bdi>{title}</bdi></Link></h2>
      {children}
    </li>
  );
}
