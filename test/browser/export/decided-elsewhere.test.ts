import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DifferenceSettings } from '#shared/difference/schema.ts';
import { api } from '#shared/http/api.ts';
import { expectNoAxeFindings, openPage, openStage, type Stage } from '../../stages/browser.ts';
import { importFile, masterWith, runExport } from '../../stages/kontor.ts';

const csv = (items: number) => ['sku;titel', ...Array.from({ length: items }, (_, n) => `A-${n};Ware ${n}`)].join('\n');
const strict = DifferenceSettings.parse({ action_on_difference: 'block_send', neg_difference: 10 });

describe('a held state and other windows', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  }, 180_000);
  afterAll(() => stage.close());

  const heldImport = async () => {
    const masterid = await masterWith(stage.kontor, csv(20), { key: 'sku' });
    await stage.kontor.ask(api.saveImportDifference, { params: { masterid }, body: strict });
    const { state } = await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes: csv(5) });
    expect(state).toBe('blocked');
    return masterid;
  };
  /** An export whose next file would be held. */
  const strictExport = async (items: string) => {
    const masterid = await masterWith(stage.kontor, items, { key: 'sku' });
    const body = { name: 'Kanal', channel: 'google' };
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body });
    await stage.kontor.ask(api.saveExportDifference, { params: { id }, body: strict });
    await runExport(stage.kontor, id);
    await importFile(stage.kontor, masterid, { name: 'artikel.csv', bytes: csv(5) });
    return id;
  };
  const notice = (page: Page) => page.getByText('Dieser Stand wartet auf Ihre Freigabe');
  const release = async (page: Page) => {
    await page.getByRole('textbox', { name: 'Begründung' }).fill('Sortiment gekürzt');
    await page.getByRole('button', { name: 'Trotzdem freigeben' }).click();
  };

  it.each(['import', 'export'])('DIF-03 a decision on the page of an %s is seen in every window', async (kind) => {
    let path;
    if (kind === 'import') path = `/master/${await heldImport()}/import`;
    else {
      const id = await strictExport(csv(20));
      expect((await runExport(stage.kontor, id)).run.state).toBe('blocked');
      path = `/exports/${id}`;
    }
    const [one, other] = [await openPage(stage, path), await openPage(stage, path)];
    await notice(other).waitFor();
    await release(one);
    await notice(one).waitFor({ state: 'detached' });
    await notice(other).waitFor({ state: 'detached' });
  });

  it('DIF-03 who decides second is told what was decided, and the question goes', async () => {
    const masterid = await heldImport();
    // This window hears nothing of the others.
    const page = await openPage(stage, `/master/${masterid}/import`, {}, async (silent) => {
      await silent.route('**/api/live**', (route) => route.abort());
    });
    await notice(page).waitFor();
    const [held] = await stage.kontor.ask(api.masterRuns, { params: { masterid } });
    await stage.kontor.ask(api.releaseRun, { params: { runid: held?.runid ?? '' }, body: { reason: 'Ausverkauf' } });
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByText(/ist schon entschieden, am .*Freigegeben von .*: Ausverkauf.*Es gilt jetzt Stand 2/).waitFor();
    await notice(page).waitFor({ state: 'detached' });
  });

  it('TRA-01 a file that is held after refused items were sent again is named, with the way to the decision', async () => {
    const id = await strictExport(csv(20));
    const page = await openPage(stage, `/exports/${id}/uebertragung`);
    // It is shown for a few seconds only.
    const chip = page.getByRole('banner').getByText('Kanal: wartet auf Freigabe').waitFor();
    await page.getByRole('button', { name: 'Fehlgeschlagene erneut senden' }).click();
    const outcome = page.getByRole('region', { name: 'Letzter Lauf' });
    await outcome.getByText('wartet auf Freigabe', { exact: true }).waitFor();
    await outcome.getByText(/^15 Artikel \(75/).waitFor();
    await chip;
    await expectNoAxeFindings(page);
    await outcome.getByRole('link').click();
    await notice(page).waitFor();
    await page.getByRole('textbox', { name: 'Begründung' }).waitFor();
    await page.getByRole('button', { name: 'Verwerfen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click();
    await page.goBack();
    await outcome.getByText(/Verworfen von/).waitFor();
  });
});
