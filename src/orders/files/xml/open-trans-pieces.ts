import { shownCell } from '#orders/files/rejection-text.ts';
import { twoMeanings } from '#orders/files/amounts/amounts.ts';
import { find, textAt, type XmlNode } from '#platform/text/xml-tree.ts';

/** `fault`: why the text is no number of pieces, for people. */
type Pieces = { count: number; fault?: string };

export const priceIn = (item: XmlNode): XmlNode | undefined =>
  find(item, 'PRODUCT_PRICE_FIX') ?? find(item, 'ARTICLE_PRICE');

/** Returns the quantity. A negative one is judged with the other lines: it may be a voucher or pieces taken back. */
export function orderedIn(item: XmlNode): Pieces {
  const text = textAt(item, 'QUANTITY');
  if (text === '') return { count: 0, fault: 'Menge: Diese Angabe fehlt.' };
  const taken = text.startsWith('-') ? piecesOf(text.slice(1), 'Menge').count : 0;
  return taken > 0 ? { count: -taken } : piecesOf(text, 'Menge');
}

/** Returns the number of pieces that the price is for; 1 by default. */
export function pricedIn(item: XmlNode): Pieces {
  const price = priceIn(item);
  return piecesOf((price && textAt(price, 'PRICE_QUANTITY')) || '1', 'Menge je Preis');
}

/** Returns what is wrong with the quantities of an order's lines, for people; undefined if nothing is. */
export function piecesFault(items: readonly XmlNode[]): string | undefined {
  for (const [at, item] of items.entries()) {
    const fault = orderedIn(item).fault ?? pricedIn(item).fault;
    if (fault !== undefined) return `Position ${at + 1}, ${fault}`;
  }
  return undefined;
}

/** Parses a number with a decimal point, as the standard specifies, or with the comma that programs write. */
function piecesOf(text: string, label: string): Pieces {
  if (/^\+?[1-9]\d{0,2},\d{3}$/.test(text)) return { count: Number.NaN, fault: `${label}: ${twoMeanings(text)}` };
  const count = /^\+?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN;
  if (count > 0) return { count };
  return { count, fault: `${label}: „${shownCell(text)}“ ist keine Zahl über null. Bitte schreiben Sie sie so: 12` };
}
