import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { opened } from '../../stages/feed/assignment-page.ts';
import { expectNoAxeFindings, openStage, type Stage } from '../../stages/browser.ts';
import { importFile, masterWith, runExport } from '../../stages/kontor.ts';

const csv = `sku;titel\n${Array.from({ length: 1200 }, (_, index) => `A-${index};Ware ${index}\n`).join('')}`;

describe('how a run has ended', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('LIV-02 the header says that a run has failed, and that a held one was discarded', async () => {
    const { kontor } = stage;
    const masterid = await masterWith(kontor, csv, { key: 'sku' });
    const name = 'Missglückt';
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name } });
    await runExport(kontor, id);
    const body = { action_on_difference: 'block_send' as const, neg_difference: 10, pos_difference: 0 };
    await kontor.ask(api.saveExportDifference, { params: { id }, body });
    await importFile(kontor, masterid, { name: 'a.csv', bytes: csv.slice(0, 5000) });
    const page = await opened(stage, `/exports/${id}`);
    const header = page.getByRole('banner');
    // The header says it for seconds only, and a run's end may be told before its file.
    const waits = header.getByText(`${name}: wartet auf Freigabe`).waitFor();
    const [{ run }] = await Promise.all([runExport(kontor, id), waits]);
    const discarded = header.getByText(`${name}: verworfen`).waitFor();
    await Promise.all([kontor.ask(api.cancelRun, { params: { runid: run.runid } }), discarded]);
    await page.getByRole('cell', { name: 'verworfen', exact: true }).first().waitFor();
    for (const file of globSync(`**/${masterid}/snapshots/*.parquet`, { cwd: kontor.dataFolder }))
      await rm(join(kontor.dataFolder, file));
    await Promise.all([runExport(kontor, id), header.getByText(`${name}: Fehlgeschlagen`).waitFor()]);
    await expectNoAxeFindings(page);
  });
});
