import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { catalogue } from '../../stages/feed/assignment-page.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';

const reader = { name: 'Leser', email: 'leser@beispiel.de', password: 'nur-lesen-darf-er' };

describe('the mappings for a viewer', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
    await addMember(stage.kontor, { ...reader, role: 'viewer' });
  }, 180_000);
  afterAll(() => stage.close());

  it('SWM-01 MAP-01 a viewer sees the target values but cannot change them, and collapses and expands the list', async () => {
    const { masterid } = await catalogue(stage.kontor);
    for (const name of ['Versand', 'Lager'])
      await stage.kontor.ask(api.saveMapping, {
        params: { masterid, mappingid: `Map${name}1` },
        body: { name, kind: 'shop', active: true, lookupdata: [{ id: 'k1', name: 'Paket', info: '' }] },
      });
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, `/master/${masterid}/shop-mappings`);
    await page.getByRole('button', { name: /^Zielwerte/ }).click();
    const dialog = page.getByRole('dialog');
    const values = dialog.getByRole('textbox');
    await expect.poll(() => values.inputValue()).toBe('k1;Paket');
    expect(await values.getAttribute('readonly')).not.toBe(null);
    expect(await dialog.getByRole('button').allInnerTexts()).toEqual(['', 'Schließen']);
    await dialog.getByText('Schließen', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    // Another user of this browser may have minimised the list.
    const links = page.getByRole('navigation', { name: 'Mappings', exact: true }).getByRole('link');
    await page.getByRole('button', { name: 'minimieren' }).click();
    await expect.poll(() => links.count()).toBe(0);
    await page.getByRole('button', { name: 'maximieren' }).click();
    await expect.poll(() => links.count()).toBe(2);
  });
});
