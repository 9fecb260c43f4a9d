import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { api } from '#shared/http/api.ts';
import { clientOf } from '../../stages/client.ts';
import { kill, startProgram } from '../../stages/program.ts';

it('the previous stock and price file is kept for its readers, also over a restart; older ones are deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kontor-stock-'));
  let program = await startProgram(folder);
  onTestFinished(async () => {
    await kill(program);
    await rm(folder, { recursive: true });
  });
  const { ask, upload, ended } = clientOf(() => program.url);
  const files = async () =>
    (await readdir(folder, { recursive: true }))
      .map((path) => path.split('/').pop() ?? '')
      .filter((name) => /^\d+\.stock-\w+\.csv$/.test(name))
      .toSorted();
  const { masterid } = await ask(api.createMaster, {}, { name: 'Katalog' });
  await ended(await upload(masterid, 'sku;titel;preis;bestand\nA-1;Hammer;9,90;4\n'));
  const { id } = await ask(api.createExport, { masterid }, { name: 'Kanal', format: { kind: 'csv' } });
  await ended((await ask(api.runExport, { id })).runid);
  const names: string[] = [];
  const refresh = async () => {
    const { runid } = await ask(api.runStock, { id });
    expect(await ended(runid)).toMatchObject({ state: 'done' });
    names.push(`1.stock-${runid}.csv`);
    // Files no longer needed are deleted after the end of the run.
    await expect.poll(files).toEqual(names.slice(-2).toSorted());
  };
  for (let round = 0; round < 3; round++) await refresh();
  await kill(program);
  program = await startProgram(folder);
  await refresh();
});
