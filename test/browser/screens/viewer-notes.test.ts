import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { addNotification } from '#notifications/notifications.ts';
import { addMember } from '../../stages/add-member.ts';
import {
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openPage,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith, runExport } from '../../stages/kontor.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

const reader = { name: 'Leserin', email: 'leserin@beispiel.de', password: 'nur-lesen-darf-sie' };
const able = 'Das dürfen: Inhaber, Administrator, Bearbeiter.';
const pictures = ConstructionRow.parse({
  id: 'z1',
  exportfield: 'image_link',
  field: [{ type: '_field', value: 'bild', caption: 'bild' }],
});

describe('what a viewer is told', () => {
  let stage: Stage;
  let screens: [path: string, note: string][];
  beforeAll(async () => {
    stage = await openStage();
    const { kontor } = stage;
    await addMember(kontor, { ...reader, role: 'viewer' });
    const masterid = await masterWith(kontor, 'sku;bild\nA-1;https://b.de/1.jpg\n', { key: 'sku' });
    const body = { name: 'Google', channel: 'google' };
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [pictures] });
    await runExport(kontor, id);
    const seller = { masterid, marketplace: 'A1PA6795UKMFR9' as const, sellerId: 'A3WIR', name: 'Amazon' };
    const account = await kontor.ask(api.createMarketplaceAccount, { body: seller });
    const prices = 'Das dürfen: Inhaber, Administrator.';
    screens = [
      ['/', `darf hier nichts ändern und nichts starten. ${able}`],
      [`/repricer/${masterid}/dashboard`, `darf hier nichts ändern. ${able}`],
      [`/verlauf/construction/export:${id}`, `darf hier nichts ändern. ${able}`],
      [`/verlauf/repricer/master:${masterid}`, `darf hier nichts ändern. ${prices}`],
      [`/exports/${id}`, `darf hier nichts starten. ${able}`],
      [`/exports/${id}/uebertragung`, `darf hier nichts starten. ${able}`],
      [`/kanaele/${account.id}/uebertragung`, `darf hier nichts starten. ${able}`],
      [`/exports/${id}/einstellungen`, `darf hier nichts ändern und nichts starten. ${able}`],
      [`/master/${masterid}/import`, `darf hier nichts ändern und nichts starten. ${able}`],
      [`/exports/${id}/attribute`, `darf hier nichts ändern. ${able}`],
      ['/papierkorb', `darf hier nichts ändern. ${able}`],
      [`/exports/${id}/diagnose`, `Ihre Rolle darf keine Bilder prüfen. ${able}`],
    ];
  }, 180_000);
  afterAll(() => stage.close());

  it('says on each screen what the role may neither change nor start, and who may', async () => {
    const page = await stage.openPage({ width: 390 });
    await signIn(page, reader);
    for (const [path, note] of screens) {
      await visit(page, path);
      await page.getByText(note).waitFor();
      await expectNoSidewaysScroll(page);
    }
    await expectNoAxeFindings(page);
  });

  it('says who attends to an order, instead of a link to a page that the role may not open', async () => {
    const channel = await orderChannel(stage.kontor, 'Laden');
    await takeOrders(stage.kontor, channel, [{ orderid: 'W-1', lines: [{ sku: 'A-1' }] }]);
    const text =
      '<ORDERCHANGE><ORDERCHANGE_HEADER><ORDERCHANGE_INFO><ORDER_ID>W-1</ORDER_ID>' +
      '<REMARKS type="action">cancellationrequest</REMARKS></ORDERCHANGE_INFO></ORDERCHANGE_HEADER></ORDERCHANGE>';
    await stage.kontor.raw(`${pathOf(api.importOrders)}?channel=${channel}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    const title = 'Stornowunsch zu Bestellung W-1';
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, '/benachrichtigungen');
    const entry = page.getByRole('listitem').filter({ hasText: title });
    await entry.getByText('Darum kümmert sich, wer Bestellungen sehen darf.').waitFor();
    expect(await entry.getByRole('link').count()).toBe(0);
    await expectNoAxeFindings(page);
    const owner = await openPage(stage, '/benachrichtigungen');
    await owner.getByRole('link', { name: title }).click();
    await owner.getByRole('heading', { level: 1, name: 'Bestellung W-1' }).waitFor();
  });

  it('says who attends to the settings, instead of a link to them', async () => {
    const { kontor } = stage;
    const { company } = await kontor.ask(api.session);
    const title = 'Das Konto „Amazon“ wird nicht angenommen';
    const notice = { id: 'konto-1', event: 'failed', title, text: 'Bitte neu verbinden.' } as const;
    await kontor.database.company(company.id, (trx) =>
      addNotification(trx, company.id, { ...notice, path: '/einstellungen/kanaele' }),
    );
    const page = await stage.openPage();
    await signIn(page, reader);
    await visit(page, '/benachrichtigungen');
    const entry = page.getByRole('listitem').filter({ hasText: title });
    await entry.getByText('Darum kümmern sich Inhaber und Administratoren.').waitFor();
    expect(await entry.getByRole('link').count()).toBe(0);
    const owner = await openPage(stage, '/benachrichtigungen');
    await owner.getByRole('link', { name: title }).click();
    await owner.getByRole('heading', { level: 1, name: 'Kanäle' }).waitFor();
  });

  it('says nothing to an owner', async () => {
    const page = await stage.openPage();
    await signIn(page);
    for (const [path] of screens) {
      await visit(page, path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByText('Das dürfen:').count()).toBe(0);
    }
  });
});
