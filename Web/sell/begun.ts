import { session } from "../shared/session";
import { tabStorage } from "../shared/storage";
import type { Upload } from "../shared/useUploads";
import type { SellValues } from "./listingValues";

/** The name under which a form is kept that an operation lists, in case it fails. */
export function keptAs(operation: string): string {
  return `sell.again.${operation}`;
}

function places(operation: string): readonly [form: string, pictures: string] {
  const name = `${session.get()?.account.address ?? ""}.${keptAs(operation)}`;
  return [`stoa.form.${name}`, `stoa.pictures.${name}`];
}

/** Keeps what an operation lists, so that it can be tried again without typing. */
export function keepBegun(operation: string, values: SellValues, pictures: readonly Upload[]): void {
  const [form, files] = places(operation);
  tabStorage.set(form, JSON.stringify(values));
  tabStorage.set(files, JSON.stringify(pictures.filter(({ id }) => id !== undefined)));
}

/** Forgets it once it is listed. */
export function forgetBegun(operation: string): void {
  for (const place of places(operation)) tabStorage.set(place, null);
}
