import type { Trx } from '#platform/db/database.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { orderDetails } from '#orders/list/order-details.ts';
import type { StoredOrder } from '#orders/model/order-record.ts';
import { Person, readingPurposes } from '#shared/orders/persons.ts';
import type { OrderDetails } from '#shared/orders/schema.ts';
import { reasonWords } from '#shared/orders/reason-words.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { personPlace } from './save-persons.ts';

const time = new Intl.DateTimeFormat('de-DE', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Europe/Berlin' });
const words = (at: Date | string | null) => (at === null ? '' : time.format(new Date(at)));

const roles = { buyer: 'Käufer', delivery: 'Lieferadresse', invoice: 'Rechnungsadresse' } as const;
const purposes: Readonly<Record<(typeof readingPurposes)[number], string>> = {
  view: 'Ansicht',
  packing_slip: 'Lieferschein',
  pick_list: 'Pickliste',
  export: 'Auskunft',
};
const parties = { us: 'uns', buyer: 'Käufer', channel: 'Kanal' } as const;

/**
 * Returns all data stored of the person of an order, to answer an access request (GDPR, article 15): every version, the order,
 * and when it was read for which purpose. Names of our users are not part of it.
 */
export async function personReport(trx: Trx, vault: Vault, order: StoredOrder, now: Date): Promise<object> {
  const { company, channel, order_id } = order;
  const ofOrder = { company, channel, order_id };
  const persons = await trx
    .selectFrom('order_persons')
    .select(['role', 'version', 'sealed', 'created_at', 'erase_after'])
    .where((eb) => eb.and(ofOrder))
    .orderBy('role')
    .orderBy('version')
    .execute();
  const readings = await trx
    .selectFrom('person_readings')
    .select(['at', 'purpose'])
    .where((eb) => eb.and(ofOrder))
    .orderBy('id')
    .execute();
  const until = persons[0]?.erase_after;
  return {
    Auskunft: 'Gespeicherte Daten zu einer Bestellung (Art. 15 DSGVO)',
    Stand: words(now),
    Personendaten: persons.map(({ role, version, sealed, created_at }) => ({
      Rolle: roles[role],
      Fassung: version,
      'Gespeichert am': words(created_at),
      ...personWords(Person.parse(JSON.parse(vault.open(company, personPlace(order, role), sealed)))),
    })),
    Zweck: 'Lieferung, Stornierung, Rücknahme und Erstattung dieser Bestellung',
    Herkunft: `Übermittelt vom Kanal „${order.channel_name}“, über den bestellt wurde`,
    Speicherdauer:
      until === undefined
        ? 'Zu dieser Bestellung sind keine Personendaten (mehr) gespeichert.'
        : `Die Personendaten werden am ${words(until)} gelöscht. Die Bestellung bleibt ohne sie für die Statistik gespeichert.`,
    'Gelesen am': readings.map(({ at, purpose }) => {
      const known = readingPurposes.find((one) => one === purpose);
      return { Zeitpunkt: words(at), Anlass: known === undefined ? purpose : purposes[known] };
    }),
    Bestellung: orderWords(await orderDetails(trx, order, undefined)),
  };
}

const personWords = ({ name, company, lines, postalCode, city, region, country, email, phone, gifts }: Person) => ({
  Name: name,
  Firma: company,
  Anschrift: lines,
  Postleitzahl: postalCode,
  Ort: city,
  Region: region,
  Land: country,
  'E-Mail': email,
  Telefon: phone,
  ...(gifts === undefined ? {} : { Geschenk: gifts }),
});

function orderWords({ order, shipments, cancellations, returns, refunds, events }: OrderDetails) {
  const money = (cents: number | null) => (cents === null ? '' : moneyText(cents, order.currency));
  return {
    Bestellnummer: order.orderid,
    Kanal: order.channel_name,
    'Bestellt am': words(order.placed_at),
    'Eigene Bestellnummer des Käufers': order.buyer_order_number,
    Lieferland: order.country,
    Betrag: money(order.total_cents),
    Positionen: order.lines.map((line) => ({
      Position: line.productid,
      Artikelnummer: line.sku,
      Bezeichnung: line.title,
      Bestellt: line.ordered,
      Versandt: line.shipped,
      Storniert: line.cancelled,
      Zurückgenommen: line.returned,
      Stückpreis: money(line.unit_cents),
      Stornowunsch: line.cancel_request,
    })),
    Sendungen: shipments.map(({ carrier, tracking, returntracking, shipped_at }) => ({
      Versanddienst: carrier,
      Sendungsnummer: tracking,
      Retourennummer: returntracking,
      'Versandt am': words(shipped_at),
    })),
    Stornierungen: cancellations.map(({ productid, quantity, by, reason, at }) => ({
      Position: productid,
      Stück: quantity,
      Durch: parties[by],
      Grund: reasonWords(reason),
      Am: words(at),
    })),
    Rücknahmen: returns.map(({ productid, quantity, reason, at }) => ({
      Position: productid,
      Stück: quantity,
      Grund: reasonWords(reason),
      Am: words(at),
    })),
    Erstattungen: refunds.map(({ productid, cents, currency, reason, at }) => ({
      Position: productid,
      Betrag: moneyText(cents, currency),
      Grund: reasonWords(reason),
      Am: words(at),
    })),
    Verlauf: events.map(({ at, text }) => `${words(at)}: ${text}`),
  };
}
