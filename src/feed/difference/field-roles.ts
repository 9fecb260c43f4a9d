import { isOtherThanMoney } from '#shared/import/price-names.ts';
import type { ComparedField } from './field-drift.ts';

type Role = ComparedField['role'];

const stockName = /bestand|stock|quantity|menge|lager|qty/i;
/** Whether a field is a stock, by its name: the import only guesses that it is a number. */
export const isStock = (field: string): boolean => stockName.test(field);

const isStore = (field: string): boolean => /bestand|stock|lager/i.test(field);

/** In German inventory lists 'VK' is the price; 'VKE' and 'VPE' count packages. */
const priceName = /preis|price|(?<![a-zäöü])vk(?![a-zäöü])/i;
/** Whether a field is a price, by its name: if its values are words, nothing else shows that it is one. */
export const isPrice = (field: string): boolean => priceName.test(field) && !isOtherThanMoney(field);

/** Prices of a campaign and prices shown for comparison only; 'sales price' and 'dealer price' are the regular price. */
const offerName =
  /(?<!whole)sale(?!s)|special|discount|promo|deal(?!er)|strike|compare|list.?pr|former|old.?pr|msrp|rrp|uvp|aktion|angebot|sonder|streich/i;
/** Whether a field belongs to a campaign's prices, such as their dates: when it ends, all of them are empty. */
export const isOfOffer = (field: string): boolean => priceName.test(field) && offerName.test(field);
/** Whether a price is regular or an offer, by its name. */
export const priceRole = (field: string): Role => (offerName.test(field) ? 'offer' : 'price');

/** Names that shops and channels use for availability in words; compared with the last part of a dotted name. */
const availabilityNames: ReadonlySet<string> = new Set(
  `availability availabilitystatus stockstatus instock verfügbarkeit verfuegbarkeit verfügbar verfuegbar lieferbar lieferbarkeit
   lieferstatus lagerstatus bestandsstatus`.split(/\s+/),
);
const isAvailability = (field: string): boolean =>
  availabilityNames.has((field.toLowerCase().split(/[.:]/).at(-1) ?? '').replaceAll(/[^a-zäöü]/g, ''));

/** Whether a field holds an item's stock or availability; undefined if neither. In a stock only numbers count, not words. */
export function stockRole(field: string, isNumber: boolean): Role | undefined {
  if (!isNumber && isAvailability(field)) return 'availability';
  // `priceQuantity` is the amount that a price is for; 'Bestand VK-Lager' is a stock.
  return isStock(field) && (isStore(field) || !priceName.test(field)) ? 'stock' : undefined;
}
