import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from './database.ts';

/** Returns the number of the newest applied migration. */
export async function newestMigration({ kysely }: Database): Promise<number> {
  const row = await kysely
    .selectFrom('migrations')
    .select((eb) => eb.fn.max('number').as('number'))
    .executeTakeFirst();
  return row?.number ?? 0;
}

/**
 * Migrates the database to the newest schema: files `0001_….sql` of `folder` in order, each in one transaction, with its
 * checksum stored. A changed old file or a schema newer than this program stops the start with a clear message. `only`: applies
 * no others than these, for tests with rows as old as their schema. Returns the newest known number.
 */
export async function migrate(database: Database, folder: string, only?: ReadonlySet<number>): Promise<number> {
  await database.script(
    'create table if not exists migrations (number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())',
  );
  const rows = await database.kysely
    .selectFrom('migrations')
    .select(['number', 'checksum'])
    .orderBy('number')
    .execute();
  const applied = new Map(rows.map((row) => [row.number, row.checksum]));
  const files = (await readdir(folder)).filter((name) => /^\d{4}_\w+\.sql$/.test(name)).sort();
  const newest = Math.max(0, ...applied.keys());
  // Numbers are reserved in advance, so one may be missing for a while: the highest number counts.
  const known = Number(files.at(-1)?.slice(0, 4) ?? 0);
  if (newest > known) {
    throw new Error(
      `Die Datenbank ist neuer (Stand ${newest}) als dieses Programm (Stand ${known}). Bitte die neuere Fassung von Kontor starten.`,
    );
  }
  for (const name of files) {
    const number = Number(name.slice(0, 4));
    if (only?.has(number) === false) continue;
    const text = await readFile(join(folder, name), 'utf8');
    const checksum = createHash('sha256').update(text).digest('hex');
    const before = applied.get(number);
    if (before === checksum) continue;
    if (before !== undefined) {
      throw new Error(`Die Migration ${name} wurde nachträglich geändert. Bitte die Programmdateien neu einspielen.`);
    }
    // One script, one transaction; name and checksum come from the program's own files, so they are safe to insert. On a server
    // the owner of the tables is no superuser: without a company it would see none of the rows that a migration changes.
    await database.script(
      `begin;\nset local kontor.company = '*';\nset local statement_timeout = 0;\n${text}\n;insert into migrations (number, name, checksum) values (${number}, '${name}', '${checksum}');\ncommit;`,
    );
  }
  await database.chooseRole();
  return known;
}
