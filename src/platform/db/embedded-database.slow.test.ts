import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { openEmbedded } from './database.ts';
import { pg } from './pg.ts';

it('T12 a first statement that cannot be sent leaves the transaction its company', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-embedded-'));
  const database = await openEmbedded(join(folder, 'database'));
  try {
    const { rows } = await database.company('A', async (trx) => {
      const unsendable = CompiledQuery.raw('select $1::text', [() => 1]);
      await expect(trx.executeQuery(unsendable)).rejects.toThrow('could not be cloned');
      return pg<{ company: string }>`select current_setting('kontor.company', true) as company`.execute(trx);
    });
    expect(rows).toEqual([{ company: 'A' }]);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('a transaction that goes on after a failed statement fails at its end: nothing of it was saved', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-embedded-'));
  const database = await openEmbedded(join(folder, 'database'), process.env['KONTOR_TEST_TEMPLATE']);
  try {
    const swallowed = database.company('A', async (trx) => {
      await pg`create table kept (id int)`.execute(trx);
      await expect(pg`select 1 / 0`.execute(trx)).rejects.toThrow('division by zero');
    });
    await expect(swallowed).rejects.toThrow('a statement of the transaction failed');
    // The next one is none the worse for it.
    await database.company('A', (trx) => pg`create table kept (id int)`.execute(trx));
  } finally {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

it('refuses a damaged folder in German, with what to do, and never takes it for an empty one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kontor-damaged-'));
  const database = join(folder, 'database');
  const refusal = /Die Datenbank in .+ lässt sich nicht öffnen\..+npm run restore/;
  try {
    await (await openEmbedded(database, process.env['KONTOR_TEST_TEMPLATE'])).close();
    const [version, control] = [join(database, 'PG_VERSION'), join(database, 'global', 'pg_control')];
    const before = readFileSync(control);

    renameSync(version, `${version}.aside`);
    await expect(async () => openEmbedded(database)).rejects.toThrow(refusal);
    expect(readFileSync(control)).toEqual(before);
    renameSync(`${version}.aside`, version);

    writeFileSync(control, '');
    await expect(openEmbedded(database)).rejects.toThrow(refusal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
