import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pg } from '#platform/db/pg.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { type Client, clientOf } from '../../stages/client.ts';
import { begin, sendRest } from '../../stages/feed/pieces.ts';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';

/** Files of more bytes are read in parts here, each at least a piece of the upload. */
const PARTS_ABOVE_GB = '0.0012';
const PIECE_BYTES = Math.round(1.4 * 1024 ** 2);
const ITEMS = 75_000;

const lines = (count: number) =>
  Array.from({ length: count }, (_, n) => {
    const text = n % 5 === 0 ? `"Zeile eins\nZeile ""zwei""; ${n}"` : `Tasse ${n % 977} aus Steingut mit Untertasse`;
    return `A-${n};${text};${(n * 7919) % 1009},${n % 10}0;Marke ${n % 31}`;
  });
const csv = (rows: readonly string[]) => Buffer.from(`sku;titel;preis;marke\n${rows.join('\n')}\n`);

describe('imports of large files in parts', () => {
  let whole: TestKontor;
  let parted: TestKontor;
  beforeAll(async () => {
    [whole, parted] = [await testKontor(), await testKontor({ KONTOR_IMPORT_PARTS_ABOVE_GB: PARTS_ABOVE_GB })];
  }, 120_000);
  afterAll(async () => {
    await whole.close();
    await parted.close();
  });
  const clientFor = (kontor: TestKontor): Client => clientOf(() => kontor.url);
  const parts = async () => {
    const { rows } = await parted.database.system((trx) =>
      pg<{ state: string }>`select state from jobs where kind = 'import-part' order by created_at`.execute(trx),
    );
    return rows.map(({ state }) => state);
  };
  const forget = () => parted.database.system((trx) => pg`delete from jobs where kind = 'import-part'`.execute(trx));
  /** Returns the files of parts and chunks that still exist. */
  const left = async () => {
    const entries = await readdir(join(parted.dataFolder, 'items'), { recursive: true, withFileTypes: true });
    const places = /\/(?:parts\/\w+|incoming|work)$/;
    return entries.filter((entry) => entry.isFile() && places.test(entry.parentPath)).map(({ name }) => name);
  };
  /** Uploads a file in chunks and imports it. */
  async function begun(
    kontor: TestKontor,
    file: Buffer<ArrayBuffer>,
    options: Record<string, unknown> = { key: 'sku' },
  ) {
    const client = clientFor(kontor);
    const { masterid } = await client.ask(api.createMaster, {}, { name: 'Katalog' });
    const { id } = await begin(client, masterid, file, { options });
    await sendRest(client, id, file, PIECE_BYTES);
    const { runid } = await client.ask(api.finishImportUpload, { uploadid: id });
    return { client, masterid, runid };
  }
  async function imported(kontor: TestKontor, file: Buffer<ArrayBuffer>, options?: Record<string, unknown>) {
    const { client, masterid, runid } = await begun(kontor, file, options);
    const { state, message, rowsIn, accepted, rejected, duplicates, warnings } = await client.ended(runid, 100);
    const csvPath = `${pathOf(api.itemsCsv, {})}?masterid=${masterid}`;
    const { fields } = await kontor.ask(api.items, { query: { masterid, limit: 1 } });
    return {
      run: { state, message, rowsIn, accepted, rejected, duplicates, warnings },
      fields: fields.map(({ id, name, filled, guess, example }) => ({ id, name, filled, guess, example })),
      items: await (await client.raw(csvPath)).text(),
      rejected: (await client.ask(api.rejected, { runid })).rows,
    };
  }

  it('items, fields, rejected lines and warnings equal those of a file read as a whole', async () => {
    const rows = lines(ITEMS);
    rows[20_000] = 'A-20000;zu;viele;Felder;hier';
    rows[60_000] = ';ohne Nummer;1,00;Marke';
    const file = csv(rows);
    const [one, several] = [await imported(whole, file), await imported(parted, file)];
    expect(several.run).toEqual(one.run);
    expect(several.run).toMatchObject({ state: 'done', rowsIn: ITEMS, rejected: 2 });
    expect(several.fields).toEqual(one.fields);
    expect(several.rejected).toEqual(one.rejected);
    expect(several.items === one.items).toBe(true);
    expect(await parts()).toEqual(['done', 'done', 'done']);
    await expect.poll(left).toEqual([]);
  }, 120_000);

  it('an item number that occurs in two parts is found: the last line counts, as in a file read as a whole', async () => {
    await forget();
    const rows = lines(ITEMS);
    rows[72_000] = 'A-7;die letzte;1,00;Marke';
    const several = await imported(parted, csv(rows));
    expect(several.run).toMatchObject({ state: 'done', rowsIn: ITEMS, accepted: ITEMS - 1, duplicates: 1 });
    expect(several.items.includes('"A-7";"die letzte"')).toBe(true);
    expect(several.rejected).toMatchObject([{ kind: 'duplicate', raw: expect.stringContaining('A-7') }]);
    expect((await parts()).length).toBeGreaterThan(1);
    await expect.poll(left).toEqual([]);
  }, 120_000);

  it('a file without a chosen item number is read as a whole', async () => {
    await forget();
    const { run } = await imported(parted, csv(lines(ITEMS)), {});
    expect(run).toMatchObject({ state: 'done', accepted: ITEMS });
    expect(await parts()).toEqual([]);
  }, 120_000);

  it('if a part fails, the file is read as a whole', async () => {
    await forget();
    const { client, runid } = await begun(parted, csv(lines(ITEMS)));
    await expect.poll(parts, { timeout: 60_000 }).not.toEqual([]);
    // As a worker of an older version would end it, which does not know such jobs.
    await parted.database.system((trx) =>
      pg`update jobs set state = 'failed', message = 'Diesen Auftrag kennt das Programm nicht.', finished_at = now()
        where kind = 'import-part' and subject like '%:2'`.execute(trx),
    );
    expect(await client.ended(runid, 100)).toMatchObject({ state: 'done', accepted: ITEMS });
    expect(await parts()).toContain('failed');
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  }, 120_000);

  it('a cancelled import cancels its parts', async () => {
    await forget();
    const { client, runid } = await begun(parted, csv(lines(ITEMS)));
    await expect.poll(parts, { timeout: 60_000 }).not.toEqual([]);
    await client.ask(api.cancelRun, { runid });
    expect((await client.ended(runid, 60)).state).toBe('cancelled');
    const open = (state: string) => state === 'queued' || state === 'running';
    await expect.poll(async () => (await parts()).some(open), { timeout: 60_000 }).toBe(false);
    await expect
      .poll(async () => (await left()).filter((name) => /parquet|jsonl/.test(name)), { timeout: 60_000 })
      .toEqual([]);
  }, 120_000);
});
