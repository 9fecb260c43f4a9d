import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { z } from 'zod';
import { showTrash } from '#catalogue/trash.ts';
import { PERSON_MARKER, PHONE_MARKER } from '#marketplaces/sandbox/order-book/persons.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { Person } from '#shared/orders/persons.ts';
import { people } from '../../../seed/demo-orders.ts';

/** Returns a person whose every part can be searched for. */
export const plantedPerson = (number: number, given: Partial<Person> = {}): Person => ({
  name: `${PERSON_MARKER} Vogel${number}`,
  company: `${PERSON_MARKER} Käfige GmbH`,
  lines: [`${PERSON_MARKER}weg ${number}`],
  postalCode: '00000',
  city: `${PERSON_MARKER}stadt`,
  region: '',
  country: 'DE',
  email: `${PERSON_MARKER.toLowerCase()}${number}@beispiel.invalid`,
  phone: `+49 ${PHONE_MARKER} ${number}`,
  ...given,
});

/** In lower and upper case too, because search indexes fold case. */
const folded = [PERSON_MARKER, PERSON_MARKER.toLowerCase(), PERSON_MARKER.toUpperCase(), PHONE_MARKER];
/** Buyers of the demo have natural names, so their names and streets are searched for. */
const plain = [...folded, ...people.flatMap(([name, street]) => [name, street])];

/** Passwords, tokens and keys that tests give to the program: none may be stored unless hashed or encrypted (T17, T18). */
const secrets = [
  'sehr-geheimes-wort',
  'lampe-wolke-trecker',
  'regen-kiste-fenster',
  'ganz-geheim-9',
  'Kanarienvogel-7',
  'test-token-0123456789abcdef',
  'Atzr|test-4711',
  'Atzr|streng-geheim-2',
  'Client-Geheimnis-4711',
  'streng-geheim-1',
  'streng-geheim-3',
  'geheimer Schlüssel 4711',
];

/** The forms of a text inside base64, at any offset: without the characters that depend on its neighbours. */
const encodings = [PERSON_MARKER, PERSON_MARKER.toLowerCase(), PHONE_MARKER].flatMap((text) =>
  [0, 1, 2].map((before) => {
    const padded = Buffer.from(' '.repeat(before) + text)
      .toString('base64')
      .replaceAll('=', '');
    const end = (before + text.length) % 3 === 0 ? padded.length : padded.length - 1;
    return padded.slice(before === 0 ? 0 : before + 1, end);
  }),
);
const needles = [...plain, ...encodings, ...secrets].map((text) => Buffer.from(text));

/** Whether bytes contain a part of a planted person (as text, in base64, or compressed), or a secret. */
export function holdsPerson(bytes: Buffer): boolean {
  if (needles.some((needle) => bytes.includes(needle))) return true;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return false;
  // A file that a killed program left incomplete is read as far as possible.
  return holdsPerson(gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
}

/** Returns the content of a file; empty if the running program has deleted it since it was listed. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Returns the files below a folder that contain a part of a planted person; in archives (.tar) the files within. `left` are not
 * checked.
 */
export function filesWithPersons(
  folder: string,
  left: (name: string) => boolean = () => false,
): { looked: number; found: string[] } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const results = files.map((file) => {
    const path = join(file.parentPath, file.name);
    const name = relative(folder, path);
    if (left(name)) return { looked: 0, found: [] };
    if (!name.endsWith('.tar')) return { looked: 1, found: holdsPerson(contentOf(path)) ? [name] : [] };
    const inside = mkdtempSync(join(tmpdir(), 'kontor-unpacked-'));
    try {
      const unpacked = spawnSync('tar', ['-xf', path, '-C', inside], { encoding: 'utf8' });
      if (unpacked.status !== 0) throw new Error(`${name}: ${unpacked.stderr}`);
      const { looked, found } = filesWithPersons(inside);
      return { looked, found: found.map((one) => `${name}: ${one}`) };
    } finally {
      rmSync(inside, { recursive: true, force: true });
    }
  });
  return {
    looked: results.reduce((sum, { looked }) => sum + looked, 0),
    found: results.flatMap(({ found }) => found),
  };
}

const Names = z.array(z.object({ name: z.string() }));
const Tables = z.array(z.object({ name: z.string(), bytes: z.boolean() }));
/** Returns a PostgreSQL regular expression that matches any of some texts. */
const anyOf = (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)).join('|');

/**
 * Runs a query as the owner of the tables: over all companies and the trash, including what no part of the program may read as a
 * whole.
 */
function asOwner<T>(database: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  return database.kysely.transaction().execute(async (trx) => {
    // Settings of the transaction, which Kysely's builder cannot express.
    await pg`select set_config('kontor.company', '*', true), set_config('statement_timeout', '0', true)`.execute(trx);
    await showTrash(trx);
    return work(trx);
  });
}

/** Returns the columns, as `table.column`, that contain one of some texts in rows of any company. */
export function columnsHolding(database: Database, wanted: readonly string[]): Promise<string[]> {
  const text = anyOf(wanted);
  // A bytea column reads as hex; searching for hex in every column would take three times as long.
  const textOrHex = anyOf(wanted.flatMap((one) => [one, Buffer.from(one).toString('hex')]));
  return asOwner(database, async (trx) => {
    // PostgreSQL's catalogue is no table that Kysely knows.
    const tables = await pg`select relname as name, exists (select 1 from pg_attribute
        where attrelid = c.oid and atttypid = 'bytea'::regtype) as bytes
      from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(trx);
    const patterns = new Map(Tables.parse(tables.rows).map(({ name, bytes }) => [name, bytes ? textOrHex : text]));
    // Whole rows as text, of tables that are only known at run time.
    const looks = [...patterns].map(
      ([name, pattern]) => pg`(select ${name} as name from ${pg.table(name)} t where t::text ~ ${pattern} limit 1)`,
    );
    const holding = Names.parse((await pg`${pg.join(looks, pg` union all `)}`.execute(trx)).rows);
    const columns: string[] = [];
    for (const { name } of holding) {
      // Only for tables with a match: finds the column.
      const found = await pg`select distinct c.key as name from ${pg.table(name)} t, jsonb_each_text(to_jsonb(t)) c
        where c.value ~ ${patterns.get(name) ?? text} order by 1`.execute(trx);
      columns.push(...Names.parse(found.rows).map((column) => `${name}.${column.name}`));
    }
    return columns;
  });
}

/** Returns the columns that contain a part of a planted person, or a secret. */
export const columnsWithPersons = (database: Database): Promise<string[]> =>
  columnsHolding(database, [...plain, ...encodings, ...secrets]);

type Sealed = { company: string; channel: string; order_id: string; role: string; sealed: string };

/** Returns orders with a person's part that has no marker and cannot be searched for: a test forgot to add it. */
export async function unmarkedPersons(database: Database, open: (row: Sealed) => string): Promise<string[]> {
  const rows = await asOwner(database, (trx) =>
    trx.selectFrom('order_persons').select(['company', 'channel', 'order_id', 'role', 'sealed']).limit(500).execute(),
  );
  return rows.flatMap((row) => {
    const { name, company, lines, email, phone } = Person.parse(JSON.parse(open(row)));
    const parts = [name, company, lines.join(' '), email, phone].filter((part) => part !== '');
    return parts.some((part) => !holdsPerson(Buffer.from(part))) ? [`${row.order_id} (${row.role})`] : [];
  });
}
