import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { addMember } from '../../stages/add-member.ts';
import { openStage, signIn, type Stage, visit } from '../../stages/browser.ts';
import { masterWith, runExport } from '../../stages/kontor.ts';

const WIDTH = 390;
const member = {
  name: 'Maximiliane von Hohenstein-Oberkirchner',
  email: 'maximiliane.hohenstein@vertrieb.beispielversand.de',
  password: 'viele-schmale-spalten',
};

describe('tables in narrow windows', () => {
  let stage: Stage;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    stage = await openStage();
    masterid = await masterWith(stage.kontor, 'sku;Artikelbezeichnung\nA-1;Hammer mit Stiel aus Eschenholz\n');
    const format = { kind: 'csv' as const };
    exportid = (await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Export', format } }))
      .id;
    await runExport(stage.kontor, exportid);
    await runExport(stage.kontor, exportid);
    const { id } = await stage.kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Alter Export' } });
    await stage.kontor.ask(api.trashExport, { params: { id }, body: { name: 'Alter Export' } });
    await stage.kontor.ask(api.invite, { body: { email: 'neu@beispiel.de', role: 'viewer' } });
    await addMember(stage.kontor, { ...member, role: 'editor' });
    const name = 'Warenwirtschaftsanbindungsprogramm';
    await stage.kontor.ask(api.createToken, { body: { name, role: 'admin', permissions: ['read', 'edit', 'run'] } });
  }, 180_000);
  afterAll(() => stage.close());

  const open = async (path: string): Promise<Page> => {
    const page = await stage.openPage({ width: WIDTH });
    await signIn(page);
    await visit(page, path);
    return page;
  };

  it.each([
    ['runs', () => `/master/${masterid}/import`, 'Gestartet von'],
    ['stored snapshots', () => `/master/${masterid}/import`, 'Quelle'],
    ['fields', () => `/master/${masterid}/import`, 'Gefüllt'],
    ['stored files', () => `/exports/${exportid}`, 'Nummer'],
    ['deleted objects', () => '/papierkorb', 'Bleibt noch'],
    ['invitations', () => '/einstellungen', 'Gilt bis'],
  ])('%s are shown as lists whose cells have labels', async (_what, path, title) => {
    const page = await open(path());
    const cell = page.locator(`td[data-title="${title}"]`).first();
    await cell.waitFor();
    const [box, row] = await Promise.all([cell.boundingBox(), cell.locator('xpath=..').boundingBox()]);
    if (box === null || row === null) throw new Error('Not shown.');
    expect(Math.abs(box.width - row.width)).toBeLessThan(2);
    expect(box.x + box.width).toBeLessThanOrEqual(WIDTH);
  });

  it('a value of an item is shown below its name, which stays on one line', async () => {
    const page = await open(`/master/${masterid}/artikel/A-1`);
    const name = page.getByRole('rowheader', { name: 'Artikelbezeichnung' }).first();
    await name.waitFor();
    const value = name.locator('xpath=following-sibling::td[1]');
    const [above, below] = await Promise.all([name.boundingBox(), value.boundingBox()]);
    if (above === null || below === null) throw new Error('Not shown.');
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height - 1);
    expect(above.height).toBeLessThan(34);
  });

  it.each([1100, 1440])('MAP-05 at %i px the name of a mapping has room next to its buttons', async (width) => {
    const body = { name: 'Farben der Winterjacken', active: true, data: [] };
    await stage.kontor.ask(api.saveMapping, { params: { masterid, mappingid: 'Winterjack' }, body });
    const page = await stage.openPage({ width });
    await signIn(page);
    await visit(page, `/master/${masterid}/mappings/Winterjack`);
    const name = await page.getByRole('textbox', { name: 'Name' }).boundingBox();
    expect(name?.width).toBeGreaterThan(180);
  });

  it.each([481, 768, 900])(
    'at %i px members and tokens need no sideways scroll, and the log has room for its texts',
    async (width) => {
      const page = await stage.openPage({ width });
      await signIn(page);
      const wider = () =>
        page.evaluate<string[]>(
          "[...document.querySelectorAll('.k-scroll')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)",
        );
      await visit(page, '/einstellungen');
      await page.getByRole('button', { name: `Entfernen ${member.name}` }).waitFor();
      await page.getByRole('button', { name: 'Löschen Warenwirtschaft' }).waitFor();
      expect(await wider()).toEqual([]);
      await visit(page, '/einstellungen/sicherheitsprotokoll');
      expect(await wider()).toEqual([]);
      const kind = await page.getByRole('cell', { name: 'Anmeldung' }).first().boundingBox();
      expect(kind?.width).toBeGreaterThan(80);
      const what = await page.locator('td[data-title="Was"]').first().boundingBox();
      expect(what?.width).toBeGreaterThan(100);
    },
  );
});
