import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordRelease } from '#catalogue/releases.ts';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
import {
  describedBy,
  errorsOf,
  expectNoAxeFindings,
  expectNoAxeFindingsInBoth,
  expectNoSidewaysScroll,
  openPage,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith } from '../../stages/kontor.ts';
import { bosch, fjord } from '../../stages/feed/brand-rules.ts';

describe('the history of documents', () => {
  let stage: Stage;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    masterid = await masterWith(kontor, 'sku;marke\n1;bosch\n2;fjord\n');
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Marktplatz' } })).id;
    const save = (body: Rule[]) => kontor.ask(api.saveMasterRules, { params: { masterid }, body });
    await save([bosch, fjord]);
    await save([{ ...bosch, active: false }, fjord]);
    await save([bosch]);
  }, 120_000);
  afterAll(() => stage.close());
  const names = async () =>
    (await stage.kontor.ask(api.masterRules, { params: { id: masterid } })).map(({ name }) => name);

  it('RUL-14 shows every save in German sentences and brings a deleted rule back', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/verlauf/rules/master:${masterid}`);
    const states = page.getByRole('region', { name: 'Gespeicherte Stände' });
    await expect
      .poll(() => states.getByRole('heading', { level: 2 }).allInnerTexts())
      .toEqual(['Stand 3', 'Stand 2', 'Stand 1']);
    await states.getByText('Regel „Bosch“: pausiert.').waitFor();
    await states.getByRole('button', { name: 'Regel „Fjord“ zurückholen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Regel „Fjord“ zurückholen?' });
    await expectNoAxeFindings(page);
    await dialog.getByRole('button', { name: 'Zurückholen' }).click();
    await states.getByRole('heading', { name: 'Stand 4' }).waitFor();
    await states.getByText('Aus Stand 2 zurückgeholt.').waitFor();
    expect(await names()).toEqual(['Bosch', 'Fjord']);
    expect(errorsOf(page)).toEqual([]);
  });

  it('RUL-14 shows what would change before a whole state is restored, and can be cancelled', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/verlauf/rules/master:${masterid}`);
    await page.getByRole('button', { name: 'Stand 2 wiederherstellen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diesen Stand wiederherstellen?' });
    await dialog.getByText('Regel „Bosch“: pausiert.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect((await names()).length).toBe(2);
    await page.getByRole('button', { name: 'Stand 2 wiederherstellen' }).click();
    await dialog.getByRole('button', { name: 'Wiederherstellen' }).click();
    await page.getByRole('heading', { name: 'Stand 5' }).waitFor();
    const [restored] = await stage.kontor.ask(api.masterRules, { params: { id: masterid } });
    expect(restored).toMatchObject({ name: 'Bosch', active: false });
  });

  it('GEN-05 a failed restore is reported and logged', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/verlauf/rules/master:${masterid}`);
    await page.getByRole('button', { name: 'Stand 1 wiederherstellen' }).click();
    await page.getByRole('dialog').getByText('Das ändert sich:').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Wiederherstellen' }).click();
    await page.getByRole('alert').getByText('Der Server ist nicht erreichbar').waitFor();
    expect(errorsOf(page).some((line) => line.startsWith('Fehler beim Wiederherstellen'))).toBe(true);
  });

  it('RUL-14 a restore does not replace what a colleague saved while the question was open', async () => {
    const params = { masterid };
    const { kontor } = stage;
    const page = await openPage(stage, `/verlauf/rules/master:${masterid}`);
    await page.getByRole('button', { name: 'Stand 1 wiederherstellen' }).click();
    const dialog = page.getByRole('dialog', { name: 'Diesen Stand wiederherstellen?' });
    await dialog.getByText('Das ändert sich:').waitFor();
    await kontor.ask(api.saveMasterRules, { params, body: [{ ...bosch, name: 'Der Kollegin' }] });
    await dialog.getByRole('button', { name: 'Wiederherstellen' }).click();
    await page.getByRole('alert').getByText('wurde nicht wiederhergestellt').waitFor();
    expect(await names()).toEqual(['Der Kollegin']);
    // The list shows what she saved, and the question can be asked again with what would change now.
    await dialog.waitFor({ state: 'hidden' });
    await page.getByText('hieß vorher „Bosch“').waitFor();
    await page.getByRole('button', { name: 'Stand 1 wiederherstellen' }).click();
    await dialog.getByText('hieß vorher „Der Kollegin“').waitFor();
    await dialog.getByRole('button', { name: 'Wiederherstellen' }).click();
    await expect.poll(names).toEqual(['Bosch', 'Fjord']);
  });

  it('DIF-03 offers no restore for releases, which cannot be restored, and says what to do instead', async () => {
    await stage.kontor.database.system(async (trx) => {
      const { company } = await trx
        .selectFrom('masters')
        .select('company')
        .where('id', '=', masterid)
        .executeTakeFirstOrThrow();
      for (const what of ['Stand 1 freigegeben', 'Stand 2 freigegeben'])
        await recordRelease(trx, { company, scope: `master:${masterid}` }, { what, reason: 'geprüft' }, 'Ein Kollege');
    });
    const page = await openPage(stage, `/verlauf/releases/master:${masterid}`);
    await page.getByText('Stand 1 freigegeben. Begründung: geprüft').first().waitFor();
    await page.getByText('Einen älteren Stand setzen Sie beim Import oder beim Export wieder in Kraft.').waitFor();
    expect(await page.getByRole('button', { name: /wiederherstellen/ }).count()).toBe(0);
  });

  it('HDR-07 the activity list has every save of the company and links to each document', async () => {
    const page = await stage.openPage();
    await signIn(page);
    await visit(page, `/exports/${exportid}/einstellungen`);
    await page.getByRole('main').getByRole('link', { name: 'Verlauf' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Verlauf · Export-Einstellungen · Marktplatz' }).waitFor();
    await page.getByText('Export „Marktplatz“ angelegt.').waitFor();
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Verlauf' }).click();
    await page.getByRole('heading', { level: 1, name: 'Verlauf', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Regeln · Testkatalog' }).first().click();
    await page.getByRole('link', { name: 'Zum heutigen Stand' }).click();
    await page.getByRole('heading', { level: 1, name: 'Regeln' }).waitFor();
  });

  it('HDR-07 opening the activity list from itself shows what was saved meanwhile', async () => {
    const page = await openPage(stage, '/verlauf');
    const saves = page.getByRole('list').getByRole('link', { name: 'Regeln · Zwischenkatalog' });
    await page
      .getByRole('link', { name: /Regeln · / })
      .first()
      .waitFor();
    const { masterid: other } = await stage.kontor.ask(api.createMaster, { body: { name: 'Zwischenkatalog' } });
    await stage.kontor.ask(api.saveMasterRules, { params: { masterid: other }, body: [bosch] });
    await page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Verlauf' }).click();
    await saves.first().waitFor();
  });

  it('has no finding of axe in light and dark and no sideways scroll', async () => {
    const page = await stage.openPage({ width: 320 });
    await signIn(page);
    for (const path of ['/verlauf', `/verlauf/rules/master:${masterid}`, `/verlauf/construction/export:${exportid}`]) {
      await visit(page, path);
      await expectNoAxeFindingsInBoth(page);
      await expectNoSidewaysScroll(page);
    }
    await page.getByText('Noch nichts gespeichert').waitFor();
  });

  it('a document that does not exist is a 404 page', async () => {
    const page = await stage.openPage();
    await signIn(page);
    for (const path of ['/verlauf/rules/master:unbekannt', '/verlauf/geheim/master:x'])
      expect((await page.goto(path))?.status()).toBe(404);
  });

  it('RUL-14 a state that is the same as the present one cannot be restored, and the dialog says why', async () => {
    const params = { masterid: await masterWith(stage.kontor, 'sku;marke\n1;bosch\n') };
    for (const list of [[bosch], [fjord], [bosch]]) await stage.kontor.ask(api.saveMasterRules, { params, body: list });
    const page = await openPage(stage, `/verlauf/rules/master:${params.masterid}`);
    await page.getByRole('button', { name: 'Stand 1 wiederherstellen' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Wiederherstellen' });
    expect(await describedBy(button)).toBe('Er ist derselbe wie der heutige: es ändert sich nichts.');
    expect(await button.isDisabled()).toBe(true);
    await expectNoAxeFindings(page);
  });

  it('RUL-14 a part that exists again is not offered to be brought back', async () => {
    const params = { masterid: await masterWith(stage.kontor, 'sku;marke\n1;bosch\n') };
    for (const list of [[bosch, fjord], [bosch]]) await stage.kontor.ask(api.saveMasterRules, { params, body: list });
    const page = await openPage(stage, `/verlauf/rules/master:${params.masterid}`);
    const back = page.getByRole('button', { name: 'Regel „Fjord“ zurückholen' });
    await back.waitFor();
    await page.getByRole('button', { name: 'Stand 1 wiederherstellen' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Wiederherstellen' }).click();
    await page.getByRole('heading', { name: 'Stand 3' }).waitFor();
    await back.waitFor({ state: 'detached', timeout: 5000 });
  });
});
