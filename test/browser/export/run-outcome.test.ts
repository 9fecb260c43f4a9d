import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { catalogue } from '../../stages/feed/assignment-page.ts';
import {
  errorsOf,
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openPage,
  openStage,
  type Stage,
} from '../../stages/browser.ts';
import { runExport } from '../../stages/kontor.ts';

describe('what an export page says about the last run', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  it('a run with warnings is not simply finished: the page lists them, and its history has all of them', async () => {
    const { id } = await catalogue(stage.kontor);
    const row = (exportfield: string, value: string) =>
      ConstructionRow.parse({ id: value, exportfield, field: [{ type: '_field', value, caption: '' }] });
    const body = [row('sku', 'sku'), row('price', 'preis'), row('', 'titel')];
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body });
    expect((await runExport(stage.kontor, id)).run).toMatchObject({ state: 'done', warnings: { length: 2 } });
    const page = await openPage(stage, `/exports/${id}`);
    const notes = page.getByRole('region', { name: 'Hinweise zum letzten Lauf' });
    await notes.getByText(/Quellen, die es nicht \(mehr\) gibt: Feld „preis“/).waitFor();
    await notes.getByText('Eine Zeile hat keinen Namen').waitFor();
    const runs = page.getByRole('region', { name: 'Letzte Läufe' }).last();
    for (const place of [page.getByRole('banner').or(page.locator('main')), runs])
      await place.getByText('fertig mit Hinweisen').first().waitFor();
    const second = runs.getByText('Quellen, die es nicht (mehr) gibt');
    expect(await second.isVisible()).toBe(false);
    await runs.getByText('+ 1 weiterer').press('Enter');
    await second.waitFor();
    await expectNoAxeFindings(page);
    await expectNoSidewaysScroll(page);
    if (process.env['KONTOR_PRINTED'] !== undefined)
      await page.screenshot({ path: `${process.env['KONTOR_PRINTED']}/warnings.png`, fullPage: true });
    expect(errorsOf(page)).toEqual([]);
  });
});
