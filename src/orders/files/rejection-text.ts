import type { z } from 'zod';
import type { DraftOrder } from './order-file.ts';

/** German labels of an order's members; those of a line follow its number. */
const labels: Readonly<Record<string, string>> = {
  orderid: 'Bestellnummer',
  placed_at: 'Bestelldatum',
  changed_at: 'Änderungsdatum',
  pending: 'Vorgemerkt',
  ship_by: 'Versand bis',
  deliver_by: 'Lieferung bis',
  currency: 'Währung',
  country: 'Land',
  buyer_order_number: 'Bestellnummer des Käufers',
  lines: 'Positionen',
  persons: 'Anschrift',
};
const lineLabels: Readonly<Record<string, string>> = {
  productid: 'Positionsnummer',
  sku: 'Artikelnummer',
  title: 'Artikelname',
  ordered: 'Menge',
  shipped: 'Versandt',
  cancelled: 'Storniert',
  unit_cents: 'Preis',
  discount_cents: 'Rabatt',
  shipping_cents: 'Versandkosten',
  tax_rate: 'Steuersatz',
};
const personLabels: Readonly<Record<string, string>> = {
  name: 'Name',
  company: 'Firma',
  lines: 'Straße',
  postalCode: 'Postleitzahl',
  city: 'Ort',
  region: 'Region',
  country: 'Land',
  email: 'E-Mail',
  phone: 'Telefon',
};
/** Characters shown of a cell that an error text quotes. */
const MOST_SHOWN = 40;

/** Returns a cell, shortened if needed, for use in a sentence. */
export const shownCell = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/** Returns what is wrong with an order of a file, for the person who uploads it: the field's label and the message. */
export function rejectionText(draft: DraftOrder, { issues }: z.ZodError): string {
  const issue = firstMeant(issues);
  if (issue === undefined) return 'Die Bestellung ist nicht lesbar.';
  const [field = '', ...inner] = issue.path.map(String);
  return `${labelOf(field, inner)}: ${momentText(draft, field, issue) ?? issue.message}`;
}

/** Returns the issue to show. A line without an article has no line id either: the article number is what people can fill in. */
function firstMeant(issues: z.ZodError['issues']): z.core.$ZodIssue | undefined {
  const [first] = issues;
  if (first?.path.at(-1) !== 'productid') return first;
  return issues.find(({ path }) => path.at(-1) === 'sku' && path[1] === first.path[1]) ?? first;
}

function labelOf(field: string, inner: readonly string[]): string {
  const label = labels[field] ?? field;
  const [first, second] = inner;
  if (first === undefined || second === undefined) return label;
  if (field === 'lines') return `Position ${Number(first) + 1}, ${lineLabels[second] ?? second}`;
  return `${label}, ${personLabels[second] ?? second}`;
}

/** Returns a message that quotes the date as in the file: 31.02.2026 looks right until the cell is named. */
function momentText(draft: DraftOrder, field: string, { code }: z.core.$ZodIssue): string | undefined {
  if (code !== 'invalid_format' || (field !== 'placed_at' && field !== 'ship_by' && field !== 'deliver_by'))
    return undefined;
  const text = draft[field] ?? '';
  if (text === '') return 'Diese Angabe fehlt.';
  return `„${shownCell(text)}“ ist kein Tag, den es gibt, oder nicht so geschrieben, wie es hier verstanden wird: 20.11.2026 10:30 oder 2026-11-20.`;
}
