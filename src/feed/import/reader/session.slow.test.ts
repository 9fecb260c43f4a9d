import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { withFolder } from './import-fixture.ts';
import { ImportSession, literal } from './session.ts';

/** Counts how often a running statement reported progress. */
async function signsOf(session: ImportSession, sql: string): Promise<number> {
  const going = { on: true };
  const statement = session.run(sql).finally(() => (going.on = false));
  let signs = 0;
  while (going.on) {
    await wait(20);
    if (going.on && session.gotOn()) signs += 1;
  }
  await statement;
  return signs;
}

it('reports progress while a statement runs, and once more after its end', async () => {
  await withFolder(async (folder) => {
    const session = await ImportSession.open(folder, [], 1);
    await session.run('CREATE TEMP TABLE t AS SELECT i FROM range(2000000) AS r(i)');
    session.gotOn();
    const target = literal(join(folder, 'out.parquet'));
    const signs = await signsOf(
      session,
      `COPY (SELECT md5(CAST(i AS VARCHAR)) AS hash FROM t) TO ${target} (FORMAT parquet, COMPRESSION zstd)`,
    );
    expect(signs).toBeGreaterThan(0);
    expect(session.gotOn()).toBe(true);
    expect(session.gotOn()).toBe(false);
    session.close();
  });
}, 60_000);

it('reports progress of a statement for which DuckDB gives no percentage', async () => {
  await withFolder(async (folder) => {
    const session = await ImportSession.open(folder, [], 1);
    session.gotOn();
    session.gotOn();
    const signs = await signsOf(
      session,
      'CREATE TEMP TABLE t AS SELECT max(md5(md5(CAST(i AS VARCHAR)))) AS m FROM range(20000000) AS r(i)',
    );
    expect(signs).toBeGreaterThan(1);
    session.close();
  });
}, 120_000);

it.each([1, 60, 110, 240, 3000])(
  'uses one thread, or only as many as half its memory allows for %i columns',
  async (columns) => {
    await withFolder(async (folder) => {
      const session = await ImportSession.open(folder, [], columns);
      const [[threads, limit] = []] = await session.rows(
        "SELECT current_setting('threads'), current_setting('memory_limit')",
      );
      const [, size, unit] = /^([\d.]+) (GiB|MiB)$/u.exec(String(limit)) ?? [];
      const half = (Number(size) * (unit === 'GiB' ? 1024 : 1)) / 2;
      expect(
        Number(threads) === 1 || Number(threads) * columns * 4 <= half,
        `${String(threads)} in ${String(limit)}`,
      ).toBe(true);
      session.close();
    });
  },
);
