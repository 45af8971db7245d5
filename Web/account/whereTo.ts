/** Where somebody goes after signing in: a path of this page only, the home otherwise. */
export function whereTo(query: URLSearchParams): string {
  const to = query.get("to") ?? "";
  return /^\/(?![/\\])/.test(to) ? to : "/";
}

/** An address of this page with where to go afterwards. */
export function withTo(path: string, to: string): string {
  return to === "/" ? path : `${path}?${new URLSearchParams({ to })}`;
}
