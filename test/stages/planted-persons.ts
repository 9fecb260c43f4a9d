import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PERSON_MARKER } from '#marketplaces/sandbox/order-book/persons.ts';
import { pg } from '#platform/db/pg.ts';
import type { Database } from '#platform/db/database.ts';
import type { Person } from '#shared/orders/persons.ts';

/** Stands in the telephone numbers of all planted persons, as the marker does in the rest. */
const PHONE = '30 23125';
const texts = [PERSON_MARKER, PERSON_MARKER.toLowerCase(), PHONE];

/** Somebody of whom every part can be searched for. */
export const plantedPerson = (number: number): Person => ({
  name: `${PERSON_MARKER} Vogel${number}`,
  company: `${PERSON_MARKER} Käfige GmbH`,
  lines: [`${PERSON_MARKER}weg ${number}`],
  postalCode: '00000',
  city: `${PERSON_MARKER}stadt`,
  region: '',
  country: 'DE',
  email: `${PERSON_MARKER.toLowerCase()}${number}@beispiel.invalid`,
  phone: `+49 ${PHONE} ${number}`,
});

/** What a text looks like within base64, wherever it begins there: without the letters that its neighbours have a share in. */
const encodings = texts.flatMap((text) =>
  [0, 1, 2].map((before) => {
    const padded = Buffer.from(' '.repeat(before) + text)
      .toString('base64')
      .replaceAll('=', '');
    const end = (before + text.length) % 3 === 0 ? padded.length : padded.length - 1;
    return padded.slice(before === 0 ? 0 : before + 1, end);
  }),
);

/** Whether bytes hold anything of a planted person: as text, as text in base64, or packed. */
export function holdsPerson(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const lower = text.toLowerCase();
  if (texts.some((one) => lower.includes(one.toLowerCase())) || encodings.some((one) => text.includes(one)))
    return true;
  return bytes[0] === 0x1f && bytes[1] === 0x8b && holdsPerson(gunzipSync(bytes));
}

/** The files below a folder that hold anything of a planted person; archives (.tar) are looked into. */
export function filesWithPersons(folder: string): { looked: number; found: string[] } {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const results = files.map((file) => {
    const path = join(file.parentPath, file.name);
    const name = relative(folder, path);
    if (holdsPerson(readFileSync(path))) return { looked: 1, found: [name] };
    if (!name.endsWith('.tar')) return { looked: 1, found: [] };
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

/** The tables of which a row holds one of some texts, whoever's company it is. */
export function tablesHolding(database: Database, wanted: readonly string[]): Promise<string[]> {
  return database.kysely.transaction().execute(async (trx) => {
    // The owner of the tables sees them all, also those that no part of the program may read as a whole.
    await pg`select set_config('kontor.company', '*', true)`.execute(trx);
    const { rows } = await pg<{ name: string }>`select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(trx);
    const patterns = wanted.map((text) => `%${text.replaceAll(/[\\%_]/gu, '\\$&')}%`);
    const looks = rows.map(
      ({ name }) =>
        pg`(select ${name} as name from ${pg.table(name)} t where t::text ilike any(${patterns}::text[]) limit 1)`,
    );
    return (await pg<{ name: string }>`${pg.join(looks, pg` union all `)}`.execute(trx)).rows.map(({ name }) => name);
  });
}

/** The tables that hold anything of a planted person. */
export const tablesWithPersons = (database: Database): Promise<string[]> =>
  tablesHolding(database, [...texts, ...encodings]);
