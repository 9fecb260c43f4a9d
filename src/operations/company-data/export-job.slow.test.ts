import { expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { ownDatabase } from '../../../test/stages/own-database.ts';
import { companyRows } from './export-job.ts';

it('an archive of a company holds a few MB of rows at a time', async () => {
  const database = await ownDatabase();
  await database.kysely.transaction().execute(async (trx) => {
    await pg`create table papers (company text, n int, body text)`.execute(trx);
    await pg`insert into papers select 'A', n, repeat('x', 200000) from generate_series(1, 100) n`.execute(trx);
    await pg`insert into papers values ('B', 1, 'x')`.execute(trx);
    let lines = 0;
    let largest = 0;
    for await (const text of companyRows(trx, { openPerson: (row) => row.sealed }, 'A', 'papers')) {
      lines += text.trimEnd().split('\n').length;
      largest = Math.max(largest, text.length);
    }
    expect(lines).toBe(100);
    expect(largest).toBeLessThanOrEqual(4 * 1024 * 1024 + 100);
  });
});
