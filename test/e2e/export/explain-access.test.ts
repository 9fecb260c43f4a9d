import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, runExport, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { csv, explainedCatalogue, stageOf } from '../../stages/feed/explained-catalogue.ts';

describe('who may ask for explanations, and odd questions', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    ({ masterid, exportid } = await explainedCatalogue(kontor));
  });
  afterAll(() => kontor.close());

  const status = async (itemid: string, query: Record<string, string>, as?: string, master = masterid) => {
    const answer = await kontor.raw(
      `${pathOf(api.explain, { masterid: master, itemid })}?${new URLSearchParams(query).toString()}`,
      as === undefined ? {} : { as },
    );
    const body = (await answer.json()) as { error?: { code: string; message: string } };
    return { status: answer.status, ...body.error };
  };

  it('T12 foreign and unknown ids answer 404: items, masters, exports and runs that do not belong together', async () => {
    const other = await masterWith(kontor, csv);
    const { id: foreign } = await kontor.ask(api.createExport, {
      params: { masterid: other },
      body: { name: 'Fremd' },
    });
    const { run } = await runExport(kontor, foreign);
    const [imported] = await kontor.ask(api.masterRuns, { params: { masterid } });
    const asked: Record<string, string>[] = [
      { export: foreign },
      { export: foreign, run: run.runid },
      { export: exportid, run: run.runid },
      { export: exportid, run: imported?.runid ?? '' },
      { run: run.runid },
      { run: imported?.runid ?? '' },
      { export: 'Zzzzzzzzzzz1' },
      { export: exportid, run: 'Zzzzzzzzzzz1' },
    ];
    for (const query of asked) expect([query, (await status('A-1', query)).status]).toEqual([query, 404]);
    expect((await status('gibt-es-nicht', {})).message).toBe('Diesen Artikel gibt es nicht (mehr).');
    expect((await status('A-1', {}, undefined, 'Zzzzzzzzzzz1')).status).toBe(404);
    expect((await status('A-1', {}, 'no-token')).status).toBe(401);
    // A run without a result cannot be explained.
    for (const file of globSync(`**/${other}/snapshots/*.parquet`, { cwd: kontor.dataFolder }))
      await rm(join(kontor.dataFolder, file));
    const failed = await settled(kontor, (await kontor.ask(api.runExport, { params: { id: foreign } })).runid);
    expect(failed.state).toBe('failed');
    const query = { export: foreign, run: failed.runid };
    expect(await status('A-1', query, undefined, other)).toMatchObject({ status: 409, code: 'run_unfinished' });
    const empty = (await kontor.ask(api.createMaster, { body: { name: 'Leer' } })).masterid;
    expect((await status('A-1', {}, undefined, empty)).status).toBe(404);
  });

  it('handles odd item numbers, fields named like internals, and exports without a construction', async () => {
    const odd = await masterWith(kontor, '_id;sku;__proto__;Größe "x"\n7;A/1 ü?%&#;böse;42\n', { key: 'sku' });
    const { id } = await kontor.ask(api.createExport, { params: { masterid: odd }, body: { name: 'Alle' } });
    const answer = await kontor.ask(api.explain, {
      params: { masterid: odd, itemid: 'A/1 ü?%&#' },
      query: { export: id, field: '__proto__' },
    });
    expect(answer.field).toMatchObject({ name: '__proto__', kind: 'export', value: 'böse' });
    expect(stageOf(answer, 'construction')).toMatchObject({ passThrough: true, reached: true });
    expect(answer.fields.map(({ name }) => name)).toEqual(['_id', 'sku', '__proto__', 'Größe "x"']);
  });
});
