import type { ComparedField } from './field-drift.ts';

type Role = ComparedField['role'];

const stockName = /bestand|stock|quantity|menge|lager|qty/i;
/** A stock by its name: what an import guesses is only that it is a number. */
export const isStock = (field: string): boolean => stockName.test(field);

/** „VK“ is what German stock books call the price; „VKE“ and „VPE“ count packages. */
const priceName = /preis|price|(?<![a-zäöü])vk(?![a-zäöü])/i;
/** A price by its name: where its values are words, nothing else tells that it is one. */
export const isPrice = (field: string): boolean => priceName.test(field);

/** What a campaign brings and takes away, or what is only shown beside the price; „sales price“ and „dealer price“ are the price. */
const offerName =
  /(?<!whole)sale(?!s)|special|discount|promo|deal(?!er)|strike|compare|list.?pr|former|old.?pr|msrp|rrp|uvp|aktion|angebot|sonder|streich/i;
/** Which of both a price is, by its name. */
export const priceRole = (field: string): Role => (offerName.test(field) ? 'offer' : 'price');

/** What shops and channels call the field that says in words whether an item can be had; the last part of a name with dots. */
const availabilityNames: ReadonlySet<string> = new Set(
  `availability availabilitystatus stockstatus instock verfügbarkeit verfuegbarkeit verfügbar verfuegbar lieferbar lieferbarkeit
   lieferstatus lagerstatus bestandsstatus`.split(/\s+/),
);
const isAvailability = (field: string): boolean =>
  availabilityNames.has((field.toLowerCase().split(/[.:]/).at(-1) ?? '').replaceAll(/[^a-zäöü]/g, ''));

/** Whether a field says what there is of an item; undefined: it does not. Of words in a stock only those that are numbers count. */
export function stockRole(field: string, isNumber: boolean): Role | undefined {
  if (!isNumber && isAvailability(field)) return 'availability';
  return isStock(field) ? 'stock' : undefined;
}
