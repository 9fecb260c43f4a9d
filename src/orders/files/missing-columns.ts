import { type Column, columnIn, plainTitle } from './order-columns.ts';
import { readAmount } from './amounts/amounts.ts';
import type { DraftOrder } from './order-file.ts';
import { shownCell } from './rejection-text.ts';

export const withoutDays =
  'Die Datei nennt die Positionen von Bestellungen (order_items), aber keine Bestelltage: Sie stehen in der Datei der Bestellungen (orders, Spalte order_purchase_timestamp). Es wurde nichts gespeichert. Bitte fügen Sie beide über order_id zu einer Tabelle zusammen.';

const needed = ['order', 'sku', 'quantity'] as const;
const german = { order: 'Bestellnummer', sku: 'Artikelnummer', quantity: 'Menge' };

/** Returns what a table without these columns lacks, and what to do. */
export function missingText(names: readonly string[], missing: readonly (typeof needed)[number][]): string {
  // Shopware 6 writes all articles of an order into one cell, by its internal ids.
  const plain = names.map(plainTitle);
  if (plain.includes('lineitems') && plain.includes('saleschannelid') && missing.includes('sku'))
    return 'Die Datei stammt offenbar aus dem Standardprofil für Bestellungen von Shopware 6. Es nennt Artikel nur mit ihrer internen Kennung im Shop und ohne Preis (Spalte „line_items“): Daraus ist nicht zu erkennen, was bestellt wurde. Bitte exportieren Sie je Position eine Zeile mit Bestellnummer, Artikelnummer, Menge und Preis, zum Beispiel mit einem Plugin, oder lassen Sie Bestellungen über „POST /api/orders“ übergeben.';
  if (plain.includes('grandtotal(base)') || plain.includes('basegrandtotal'))
    return 'Die Datei ist die Übersicht der Bestellungen von Magento: Sie nennt keine Artikel. Bitte exportieren Sie die Positionen der Bestellungen (increment_id, created_at, sku, qty_ordered, price_incl_tax), zum Beispiel mit einem Plugin.';
  return `In der Kopfzeile fehlt: ${missing.map((column) => german[column]).join(', ')}. Bitte exportieren Sie die Bestellungen mit diesen Angaben, oder benennen Sie die Spalten, in denen sie stehen, so.`;
}

const priceColumns = ['price', 'netPrice', 'lineTotal', 'netTotal'] as const;

type Table = { titles: readonly string[]; rows: readonly (readonly string[])[] };

/** Says what no column was recognised as. The orders are taken nevertheless, as they can be shipped. */
export function notesOf(names: readonly string[], orders: readonly DraftOrder[], table: Table): string[] {
  const isPriced = priceColumns.some((column) => hasColumn(names, column));
  const receivers = orders.flatMap(({ persons }) => persons?.delivery ?? []);
  const isNamed = receivers.some(({ name, company }) => name + company !== '');
  return [
    ...(orders.length === 0 || isPriced ? [] : [noPrices]),
    ...(receivers.length === 0 || isNamed ? [] : [noNames]),
    ...unreadDiscounts(names, table),
  ];
}

const discountColumns = ['lineDiscount', 'discount', 'shippingDiscount'] as const;
const discountTitle = /rabatt|nachlass|gutschein|discount|voucher|coupon/;

/** Names the columns of discounts that are not read: whether the prices contain them differs from program to program. */
function unreadDiscounts(names: readonly string[], { titles, rows }: Table): string[] {
  const read = new Set(discountColumns.map((column) => columnIn(names, column, () => true)));
  const isAmount = (text: string) => /[1-9]/.test(text) && readAmount(text, '').cents !== null;
  const unread = titles.filter(
    (title, at) =>
      discountTitle.test(plainTitle(title)) && !read.has(at) && rows.some((row) => isAmount(row[at]?.trim() ?? '')),
  );
  if (unread.length === 0) return [];
  const shown = unread.map((title) => `„${shownCell(title.trim())}“`).join(', ');
  return [
    `Nachlässe wurden nicht gelesen: In ${shown} stehen Beträge, aber nicht, ob die Preise sie schon enthalten. Wo nicht, ist der Umsatz hier zu hoch, und eine Erstattung könnte mehr sein, als bezahlt wurde. Bitte exportieren Sie die Preise nach Abzug, oder den Nachlass als eigene Zeile mit negativem Preis.`,
  ];
}

const noPrices =
  'Keine Spalte der Datei ist als Preis zu erkennen: Ihre Bestellungen haben keine Preise und fehlen im Umsatz. Steht der Preis in einer Spalte, benennen Sie diese bitte „Einzelpreis“ und lesen Sie die Datei noch einmal ein.';

const noNames =
  'Keine Spalte der Datei ist als Name des Empfängers zu erkennen: Ihre Bestellungen haben Anschriften ohne Namen. Benennen Sie die Spalte mit dem Namen bitte „Empfänger“, und lesen Sie die Datei vor dem Versand noch einmal ein.';

/** Returns the required columns that a table lacks. */
export const missingIn = (names: readonly string[]) =>
  needed.filter((column) => !hasColumn(names, column) && (column !== 'quantity' || !hasColumn(names, 'unit')));

export const hasColumn = (names: readonly string[], column: Column) => columnIn(names, column, () => true) >= 0;
