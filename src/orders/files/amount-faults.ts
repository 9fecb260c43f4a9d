import { readAmount, twoMeanings } from './amounts/amounts.ts';
import type { Column } from './order-columns.ts';
import { amountIn, type Cell, type Money, quantityIn } from './order-line.ts';
import { shownCell } from './rejection-text.ts';
import { countFault } from './row-states.ts';

/** Returns the first number that is ambiguous or invalid, as a text for people. */
export function numberFault(records: readonly (readonly string[])[], money: Money, cell: Cell): string | undefined {
  for (const [index, record] of records.entries()) {
    const quantity = quantityIn(record, cell);
    if (readAmount(quantity, 'EUR').unclear) return `Position ${index + 1}, Menge: ${twoMeanings(quantity)}`;
    const count = countFault(record, cell);
    if (count !== undefined) return `Position ${index + 1}, ${count}`;
    for (const [column, label] of amountColumns) {
      const text = cell(record, column);
      const { cents, unclear } = amountIn(record, column, money, cell);
      if (unclear)
        return `Position ${index + 1}, ${label}: „${text}“ kann zweierlei heißen, zum Beispiel 1.299,00 oder 1,30. Bitte mit zwei Stellen nach dem Komma schreiben.`;
      if (cents === null && isMeantAsAmount(column, text))
        return `Position ${index + 1}, ${label}: „${shownCell(text)}“ ist kein Betrag. Bitte nur die Zahl schreiben, zum Beispiel 12,50.`;
    }
  }
  return undefined;
}

/**
 * Returns whether a text should be an amount. A dash means none. The shipping column may hold a method or a date, but no other
 * digits.
 */
function isMeantAsAmount(column: Column, text: string): boolean {
  if (/^[-–—\s]*$/.test(text)) return false;
  const isDate = /^\d+([./-])\d+\1\d{4}\b|^\d{4}-\d+-\d+\b/.test(text);
  return column !== 'shipping' || (/\d/.test(text) && !/\p{L}/u.test(text) && !isDate);
}

export const amountColumns = [
  ['price', 'Preis'],
  ['netPrice', 'Preis'],
  ['lineTotal', 'Summe'],
  ['netTotal', 'Summe'],
  ['lineTax', 'Steuer'],
  ['lineShipping', 'Versandkosten'],
  ['shipping', 'Versandkosten'],
  ['grossShipping', 'Versandkosten'],
  ['lineDiscount', 'Nachlass'],
  ['discount', 'Nachlass'],
  ['shippingDiscount', 'Nachlass auf den Versand'],
] as const;
