import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { catalogue, mapped, opened } from '../../stages/feed/assignment-page.ts';
import { expectNoAxeFindings, openStage, type Stage } from '../../stages/browser.ts';

describe('what reads a mapping', () => {
  let stage: Stage;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    stage = await openStage();
    ({ masterid, id } = await catalogue(stage.kontor));
    const params = { masterid, mappingid: 'Grundfarb1' };
    const data = [mapped('1', 'farbe', 'rot', 'Rot')];
    await stage.kontor.ask(api.saveMapping, { params, body: { name: 'Grundfarbe', active: true, data } });
    const field = [{ type: '_mapping' as const, value: 'Grundfarbe', caption: '' }];
    const body = [{ id: '1', exportfield: 'color', mp_state: '' as const, field }];
    await stage.kontor.ask(api.saveConstruction, { params: { projectId: id }, body });
  }, 180_000);
  afterAll(() => stage.close());

  const reader = (page: Page) => page.getByRole('link', { name: 'Ausgabefeld „color“ im Export „Kanal“' });

  it('MAP-05 is named while its name is changed or it is paused', async () => {
    const page = await opened(stage, `/master/${masterid}/mappings/Grundfarb1`);
    const warning = page.getByText('Folgende Stellen lesen dieses Mapping');
    const name = page.getByRole('textbox', { name: 'Name' });
    await name.fill('Farbe');
    await warning.waitFor();
    await expect.poll(() => warning.innerText()).toContain('als „Grundfarbe“ und bekommen nach dem Speichern keinen');
    await expect.poll(() => reader(page).getAttribute('href')).toBe(`/exports/${id}/feldaufbau`);
    await expectNoAxeFindings(page);
    await name.fill('Grundfarbe');
    await warning.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Deaktiviere Mapping' }).click();
    await warning.waitFor();
    await expect.poll(() => warning.innerText()).not.toContain(' als ');
  });

  it('MAP-01 is named before it is deleted', async () => {
    const page = await opened(stage, `/master/${masterid}/mappings/Grundfarb1`);
    await page.getByRole('button', { name: 'Ausgewählte Regeln löschen' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Folgende Stellen lesen es und bekommen dann keinen Wert mehr:').waitFor();
    await expect.poll(() => reader(page).count()).toBe(1);
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
  });
});
