import type { DeliveryAddress, Listing } from "../shared/api";
import { named, nameOfPlace } from "../shared/countries";
import { CheckField } from "../shared/parts/CheckField";
import { Link } from "../shared/parts/Link";
import { SelectField } from "../shared/parts/SelectField";
import { TextField } from "../shared/parts/TextField";
import type { FormState, Values } from "../shared/useForm";
import { useWords } from "../shared/words";
import type { PurchaseValues } from "./purchase";

interface Props {
  readonly form: FormState<PurchaseValues>;
  readonly listing: Listing;
  /** Whether the account has a delivery address. */
  readonly hasOwn: boolean;
}

/** Whether places are countries, and not states or cities. */
function areCountries(places: readonly string[]): boolean {
  return places.every((place) => /^[A-Z]{2}$/.test(place));
}

/** The country of the account's address if the seller ships there; the only one if there is one. */
export function firstPlace(places: readonly string[], address: DeliveryAddress): string {
  if (!areCountries(places)) return "";
  const own = address.place?.split(", ").pop() ?? "";
  if (places.includes(own)) return own;
  return places.length === 1 ? places[0] ?? "" : "";
}

/** Where it is sent: the country, if the seller limits it, and the address, which only the seller gets. */
export function AddressFields({ form, listing, hasOwn }: Props) {
  const words = useWords();
  return (
    <>
      <PlaceField form={form} listing={listing} />
      <TextField form={form} name="address" isLong autoComplete="street-address" label={words.say("page.deliveryAddress")}
        hint={words.say("page.sealedAddress")} />
      {!hasOwn && form.values.address.trim() !== "" && <CheckField form={form} name="keepsAddress">{words.say("page.keepAddress")}</CheckField>}
    </>
  );
}

interface PlaceProps<V extends Values> {
  readonly form: FormState<V>;
  readonly listing: Listing;
}

/** The country or place, if the seller limits where it is sent; nothing otherwise. */
export function PlaceField<V extends Values & { readonly shipTo: string }>({ form, listing }: PlaceProps<V>) {
  const words = useWords();
  const { shipsTo, shipsWithin } = listing.content;
  const isLimited = shipsTo.length > 0;
  return (
    <>
      {isLimited && areCountries(shipsTo) && (
        <SelectField form={form} name="shipTo" label={words.say("page.country")}
          options={[["", words.say("page.chooseCountry")], ...named(shipsTo, words.language)]} />
      )}
      {isLimited && !areCountries(shipsTo) && (
        <TextField form={form} name="shipTo" label={words.say("page.placeOfDelivery")} autoComplete="off"
          hint={words.say("page.shipsOnlyTo", { places: shipsTo.map((one) => nameOfPlace(one, words.language)).join("; ") })} />
      )}
      {shipsWithin != null && (
        <p className="soft note">
          {words.say("page.shipsOnlyTo", {
            places: words.say("page.withinOf", { distance: Math.round(shipsWithin.metres / 1000), place: shipsWithin.place }),
          })}{" "}
          <Link to="/address">{words.say("page.ownAddress")}</Link>
        </p>
      )}
    </>
  );
}
