import { mkdtempSync, rmSync } from 'node:fs';
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
