import type { Person, Persons } from '#marketplaces/orders-port.ts';
import { insertRows } from '#platform/db/insert-rows.ts';
import { anyOf, pg } from '#platform/db/pg.ts';
import type { Row } from '#platform/db/row.ts';
import type { Trx } from '#platform/db/database.ts';
import type { Vault } from '#platform/crypto/vault.ts';
import { addEvents } from '#orders/model/events.ts';
import type { EventSource, StoredOrder } from '#orders/model/order-record.ts';
import { eraseAfter } from './erase-after.ts';
import { fittedPerson } from './fitted-person.ts';

export const personRoles = ['buyer', 'delivery', 'invoice'] as const;
/** `isNew`: the order was not known before. */
type Known = { order: StoredOrder; isNew: boolean; persons: Persons | undefined };

/** Returns the context that a sealed person is bound to: in another place it cannot be opened. */
export const personPlace = (order: Pick<StoredOrder, 'channel' | 'order_id'>, role: string): string =>
  `order ${order.channel} ${order.order_id} ${role}`;

/**
 * Stores personal data that channels send, sealed; known data is skipped, a changed address becomes a new version. Updates when
 * the data of all these orders is erased. Data that would be erased at once, or was erased by hand before, is not stored. Returns
 * the ids of the orders that got data.
 */
export async function savePersons(
  trx: Trx,
  vault: Vault,
  company: string,
  known: readonly Known[],
  { by, author, now }: { by: EventSource; author: string; now: Date },
): Promise<ReadonlySet<string>> {
  if (known.length === 0) return new Set();
  const ids = known.map(({ order }) => order.order_id);
  const stored = await trx
    .selectFrom('order_persons')
    .select(['channel', 'order_id', 'role', 'version', 'mark'])
    .where('company', '=', company)
    .where('channel', '=', anyOf([...new Set(known.map(({ order }) => order.channel))]))
    .where('order_id', '=', anyOf(ids))
    .orderBy('version', 'desc')
    .execute();
  const latest = new Map(stored.toReversed().map((row) => [`${row.channel}\n${row.order_id}\n${row.role}`, row]));
  const rows = await withoutErased(trx, company, known, newVersions(vault, company, known, latest, now));
  if (rows.length > 0) await insertRows(trx, 'order_persons', rows).execute();
  const changed = rows.filter(({ version, role }) => version > 1 && role === 'delivery');
  await addEvents(
    trx,
    changed.map((row) => ({ order: row, event: { kind: 'address_changed', details: {} } })),
    { source: by, author, at: now },
  );
  const ages = known.map(({ order }) => ({
    channel: order.channel,
    order_id: order.order_id,
    at: eraseAfter(order).toISOString(),
  }));
  await pg`update order_persons p set erase_after = a.at
    from json_to_recordset(${JSON.stringify(ages)}::json) as a(channel text, order_id text, at timestamptz)
    where p.company = ${company} and p.channel = a.channel and p.order_id = a.order_id and p.erase_after <> a.at`.execute(
    trx,
  );
  return new Set(rows.map(({ order_id }) => order_id));
}

type OfOrder = Pick<StoredOrder, 'channel' | 'order_id'>;
const keyOf = ({ channel, order_id }: OfOrder): string => `${channel}\n${order_id}`;

/**
 * Returns the rows without orders whose personal data was erased by hand: the channel keeps sending it, at the latest in the next
 * nightly look back, and it must not return.
 */
async function withoutErased<T extends OfOrder>(
  trx: Trx,
  company: string,
  known: readonly Known[],
  rows: readonly T[],
): Promise<readonly T[]> {
  const older = new Set(known.flatMap(({ order, isNew }) => (isNew ? [] : [keyOf(order)])));
  const knownRows = rows.filter((row) => older.has(keyOf(row)));
  if (knownRows.length === 0) return rows;
  const found = await trx
    .selectFrom('order_events')
    .select(['channel', 'order_id'])
    .where((eb) => eb.and({ company, kind: 'persons_erased', source: 'user' }))
    .where('channel', '=', anyOf([...new Set(knownRows.map(({ channel }) => channel))]))
    .where('order_id', '=', anyOf([...new Set(knownRows.map(({ order_id }) => order_id))]))
    .execute();
  const erased = new Set(found.map(keyOf));
  return rows.filter((row) => !erased.has(keyOf(row)));
}

type Last = ReadonlyMap<string, Pick<Row<'order_persons'>, 'version' | 'mark'>>;

/** A list for packing may repeat an order with a part of its address only: that must not replace a whole one. */
const isPartial = ({ name, company, lines, postalCode }: Person): boolean =>
  name + company === '' || (lines.length === 0 && postalCode === '');

/** Returns rows of personal data that is new or differs from the latest version. */
function newVersions(vault: Vault, company: string, known: readonly Known[], latest: Last, now: Date) {
  return known.flatMap(({ order, persons }) =>
    personRoles.flatMap((role) => {
      const sent = persons?.[role];
      const erase_after = eraseAfter(order);
      if (sent === undefined || erase_after <= now) return [];
      const person = fittedPerson(sent);
      const text = JSON.stringify(person);
      const mark = vault.mark(company, text);
      const last = latest.get(`${order.channel}\n${order.order_id}\n${role}`);
      if (last?.mark === mark || (last !== undefined && isPartial(person))) return [];
      const { channel, order_id } = order;
      return [
        {
          company,
          channel,
          order_id,
          role,
          version: (last?.version ?? 0) + 1,
          sealed: vault.seal(company, personPlace(order, role), text),
          mark,
          created_at: now.toISOString(),
          erase_after: erase_after.toISOString(),
        },
      ];
    }),
  );
}
