import { expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { ownDatabase } from '../../../test/stages/own-database.ts';
import { plainTexts, rowsOf } from './table-rows.ts';

it('a backup holds a few MB of rows at a time, also where large documents follow small ones', async () => {
  const database = await ownDatabase();
  await database.kysely.transaction().execute(async (trx) => {
    await plainTexts(trx);
    await pg`create table papers (n int, body text)`.execute(trx);
    await pg`insert into papers
      select n, repeat('ä', case when n > 3000 then 500000 else 1 end) from generate_series(1, 3030) n`.execute(trx);
    const seen: string[] = [];
    let largest = 0;
    for await (const rows of rowsOf(trx, { name: 'papers', columns: [] })) {
      largest = Math.max(largest, Buffer.byteLength(rows.join('')));
      seen.push(...rows.map((row) => row.slice(1, row.indexOf(','))));
    }
    expect(seen).toEqual(Array.from({ length: 3030 }, (_, n) => String(n + 1)));
    expect(largest).toBeLessThanOrEqual(4 * 1024 * 1024);
  });
});
