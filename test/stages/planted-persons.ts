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
import { people } from '../../seed/demo-orders.ts';

/** Somebody of whom every part can be searched for. */
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

/** In small and large letters too, as searches fold what they find. */
const folded = [PERSON_MARKER, PERSON_MARKER.toLowerCase(), PERSON_MARKER.toUpperCase(), PHONE_MARKER];
/** The buyers of the demo have names that please; theirs and their streets are searched for instead. */
const plain = [...folded, ...people.flatMap(([name, street]) => [name, street])];

/** Passwords, tokens and keys that tests give to the program: none may stand anywhere, but hashed or sealed (T17, T18). */
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

/** What a text looks like within base64, wherever it begins there: without the letters that its neighbours have a share in. */
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

/** Whether bytes hold anything of a planted person, as text, as text in base64, or packed, or a secret. */
export function holdsPerson(bytes: Buffer): boolean {
  if (needles.some((needle) => bytes.includes(needle))) return true;
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return false;
  // A file that a killed program did not end is read as far as it goes.
  return holdsPerson(gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }));
}

/** The content of a file; nothing where a program that still runs has taken it away since it was listed. */
function contentOf(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** The files below a folder that hold anything of a planted person; of archives (.tar) those in them. `left` are not looked at. */
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
/** Any of some texts, as a regular expression of PostgreSQL. */
const anyOf = (texts: readonly string[]) =>
  texts.map((text) => text.replaceAll(/[^\p{L}\p{N} ]/gu, String.raw`\$&`)).join('|');

/** Asks as the owner of the tables: all companies, and what lies in the trash, also what no part of the program may read as a whole. */
function asOwner<T>(database: Database, work: (trx: Trx) => Promise<T>): Promise<T> {
  return database.kysely.transaction().execute(async (trx) => {
    // Settings of the transaction; Kysely's builder selects from tables.
    await pg`select set_config('kontor.company', '*', true), set_config('statement_timeout', '0', true)`.execute(trx);
    await showTrash(trx);
    return work(trx);
  });
}

/** The columns, written `table.column`, that hold one of some texts, whoever's company the row is of. */
export function columnsHolding(database: Database, wanted: readonly string[]): Promise<string[]> {
  const text = anyOf(wanted);
  // A column of bytes reads as hex; to look for that everywhere would take three times as long.
  const textOrHex = anyOf(wanted.flatMap((one) => [one, Buffer.from(one).toString('hex')]));
  return asOwner(database, async (trx) => {
    // The catalogue of the database is no table that Kysely knows.
    const tables = await pg`select relname as name, exists (select 1 from pg_attribute
        where attrelid = c.oid and atttypid = 'bytea'::regtype) as bytes
      from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(trx);
    const patterns = new Map(Tables.parse(tables.rows).map(({ name, bytes }) => [name, bytes ? textOrHex : text]));
    // A whole row as text, of tables that are known only now.
    const looks = [...patterns].map(
      ([name, pattern]) => pg`(select ${name} as name from ${pg.table(name)} t where t::text ~ ${pattern} limit 1)`,
    );
    const holding = Names.parse((await pg`${pg.join(looks, pg` union all `)}`.execute(trx)).rows);
    const columns: string[] = [];
    for (const { name } of holding) {
      // Only where something was found: which column it is.
      const found = await pg`select distinct c.key as name from ${pg.table(name)} t, jsonb_each_text(to_jsonb(t)) c
        where c.value ~ ${patterns.get(name) ?? text} order by 1`.execute(trx);
      columns.push(...Names.parse(found.rows).map((column) => `${name}.${column.name}`));
    }
    return columns;
  });
}

/** The columns that hold anything of a planted person, or a secret. */
export const columnsWithPersons = (database: Database): Promise<string[]> =>
  columnsHolding(database, [...plain, ...encodings, ...secrets]);

type Sealed = { company: string; channel: string; order_id: string; role: string; sealed: string };

/** Orders of which a part of a sealed person could not be searched for, since nothing marks it: a test forgot to. */
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
