import { z } from 'zod';
import { moneyText } from '#shared/values/money-text.ts';
import { reasonWords } from '#shared/orders/reason-words.ts';
import { eventKinds, type EventKind } from '#orders/model/order-record.ts';

const Details = z.record(z.string(), z.union([z.string(), z.number()])).catch({});
type Details = z.infer<typeof Details>;

const stueck = (quantity: unknown) => (Number(quantity) === 1 ? 'ein Stück' : `${String(quantity)} Stück`);
const dativ = (quantity: unknown) => (Number(quantity) === 1 ? 'einem Stück' : stueck(quantity));
const actions: Readonly<Record<string, (details: Details) => string>> = {
  ship: ({ quantity, carrier, tracking }) =>
    `Versand von ${dativ(quantity)} mit ${String(carrier)} ${String(tracking)}`,
  cancel: ({ quantity, reason }) => `Stornierung von ${dativ(quantity)} (${reasonWords(String(reason))})`,
  return: ({ quantity, cents, currency }) =>
    `Retoure von ${dativ(quantity)}${Number(cents ?? 0) > 0 ? ` mit Erstattung von ${moneyText(Number(cents), String(currency))}` : ''}`,
  refund: ({ cents, currency }) => `Erstattung von ${moneyText(Number(cents), String(currency ?? 'EUR'))}`,
};
/** Returns the text of an action from an event's details. */
export const actionText = (details: Details): string => actions[String(details['action'])]?.(details) ?? 'Aktion';

const texts: Readonly<Record<EventKind, (details: Details) => string>> = {
  created: ({ lines }) =>
    `Bestellung eingegangen, ${Number(lines) === 1 ? 'eine Position' : `${String(lines)} Positionen`}`,
  line_added: ({ line, quantity }) => `Position ${String(line)} kam hinzu: ${stueck(quantity)}`,
  released: () => 'Zum Versand freigegeben',
  cancel_requested: () => 'Der Käufer möchte stornieren',
  cancel_request_gone: () => 'Der Stornowunsch des Käufers ist erledigt',
  on_hold: () => 'Der Marktplatz prüft die Bestellung',
  shipped_there: ({ line, quantity }) =>
    `Beim Kanal als versandt gemeldet: ${stueck(quantity)} der Position ${String(line)}`,
  tracking_corrected: ({ from, to }) =>
    from === ''
      ? `Sendungsnummer beim Kanal nachgetragen: ${String(to)}`
      : `Sendungsnummer beim Kanal berichtigt: ${String(to)} statt ${String(from)}`,
  cancelled_there: ({ line, quantity }) => `Beim Kanal storniert: ${stueck(quantity)} der Position ${String(line)}`,
  delivered: () => 'Zugestellt',
  price_known: ({ line }) => `Der Preis der Position ${String(line)} ist bekannt`,
  superseded: (details) => `Überholt, es wurde nichts gesendet: ${actionText(details)}`,
  contradiction: ({ line }) =>
    `Widerspruch: der Kanal meldet Stücke der Position ${String(line)} als versandt, die hier storniert sind`,
  address_changed: () => 'Die Lieferadresse wurde geändert',
  action_new: (details) => `Veranlasst: ${actionText(details)}`,
  action_done: (details) => `Erledigt: ${actionText(details)}`,
  action_refused: (details) => `Abgelehnt: ${actionText(details)}`,
  action_unclear: (details) => `Klärung nötig: ${actionText(details)}`,
  action_resolved: (details) => `Geklärt: ${actionText(details)}`,
  action_withdrawn: (details) => `Zurückgezogen: ${actionText(details)}`,
  wish_declined: () => 'Entschieden: trotz Stornowunsch wird versendet',
  persons_erased: () => 'Personendaten gelöscht',
};

/** Returns the text of an event in an order's history; an event kind of another program version is returned as it is. */
export function eventText(kind: string, details: string): string {
  const known = eventKinds.find((one) => one === kind);
  return known === undefined ? kind : texts[known](Details.parse(JSON.parse(details)));
}
