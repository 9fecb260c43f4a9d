import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import {
  expectNoAxeFindings,
  expectNoSidewaysScroll,
  openStage,
  signIn,
  type Stage,
  visit,
} from '../../stages/browser.ts';
import { masterWith, settled } from '../../stages/kontor.ts';

describe('schedule cards', () => {
  let stage: Stage;
  let source: Server;
  let masterid: string;
  let id: string;
  let status = 404;
  beforeAll(async () => {
    source = createServer((_request, reply) =>
      reply.writeHead(status).end('sku;titel;preis;bestand\nA-1;Hammer;12,50;4\n'),
    );
    await new Promise<void>((resolve) => {
      source.listen(0, '127.0.0.1', () => resolve());
    });
    stage = await openStage();
    masterid = await masterWith(stage.kontor, 'sku;titel;preis;bestand\nA-1;Hammer;12,50;4\n', { key: 'sku' });
    const { kontor } = stage;
    ({ id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } }));
  });
  afterAll(async () => {
    await stage.close();
    source.close();
  });
  const opened = async (path: string, options = {}) => {
    const page = await stage.openPage(options);
    await signIn(page);
    await visit(page, path);
    return page;
  };

  it('an import is scheduled with a preview of five runs, saved, run at once, and a failed run is retried', async () => {
    const page = await opened(`/master/${masterid}/import`);
    const card = page.getByRole('region', { name: 'Zeitplan' });
    await card.getByText('Kein Zeitplan').waitFor();
    await card.getByRole('switch', { name: 'Nach Zeitplan ausführen' }).check();
    await card.getByLabel('Uhrzeiten', { exact: true }).fill('6, 18.30');
    const preview = card.getByRole('list', { name: 'Die nächsten Läufe mit diesen Angaben' }).getByRole('listitem');
    await expect.poll(() => preview.count()).toBe(5);
    for (const text of await preview.allTextContents())
      expect(text).toMatch(/^(Mo|Di|Mi|Do|Fr|Sa|So)\., \d\d\.\d\d\.\d{4}.* (06:00|18:30) (MEZ|MESZ)$/);
    await card.getByLabel('Uhrzeiten', { exact: true }).fill('25:00');
    await card.getByText('„25:00“ ist keine Uhrzeit.').waitFor();
    await expect.poll(() => preview.count()).toBe(0);
    await card.getByLabel('Uhrzeiten', { exact: true }).fill('6:00');
    const save = card.getByRole('button', { name: 'Zeitplan speichern' });
    await save.click();
    await card.getByText('Ein Zeitplan braucht eine Adresse').waitFor();
    await card
      .getByLabel('Adresse der Datei')
      .fill(`http://127.0.0.1:${(source.address() as AddressInfo).port}/a.csv?k=geheim`);
    await save.click();
    await card.getByText('Nächster geplanter Lauf:').waitFor();
    await card.getByText(/Gespeichert: http:\/\/127.0.0.1:\d+\/a.csv\./).waitFor();
    await expectNoAxeFindings(page);
    await card.getByRole('button', { name: 'Jetzt abrufen' }).click();
    const history = page.getByRole('region', { name: 'Letzte Importe' }).last();
    const retry = history.getByRole('button', { name: /^Erneut versuchen/ });
    await retry.waitFor();
    status = 200;
    await retry.click();
    await expect
      .poll(async () => (await stage.kontor.ask(api.masterRuns, { params: { masterid } }))[0]?.state)
      .toBe('done');
    await history.locator('tbody tr').nth(2).waitFor();
    await expect.poll(() => history.getByRole('columnheader', { name: 'Gestartet von' }).count()).toBe(1);
  });

  it('an export is scheduled by interval on a narrow dark screen; stock and price have their own schedule', async () => {
    const { runid } = await stage.kontor.ask(api.runExport, { params: { id } });
    await settled(stage.kontor, runid);
    const page = await opened(`/exports/${id}/einstellungen`, { width: 320, scheme: 'dark' });
    const stock = page.getByRole('region', { name: 'Zeitplan für Bestand und Preis' });
    await stock.getByRole('switch', { name: 'Nach Zeitplan ausführen' }).check();
    await stock.getByText('In Abständen').click();
    const minutes = stock.getByLabel('Abstand in Minuten');
    await minutes.fill('');
    await expect.poll(() => minutes.inputValue()).toBe('');
    await minutes.pressSequentially('30,5');
    await stock.getByRole('button', { name: 'Zeitplan speichern' }).click();
    await stock.getByText('Bitte eine ganze Zahl eingeben.').waitFor();
    expect(await minutes.inputValue()).toBe('30,5');
    expect((await stage.kontor.ask(api.stockSchedule, { params: { id } })).schedule.settings.active).toBe(false);
    await minutes.fill('5');
    await stock.getByText('So', { exact: true }).click();
    await expectNoSidewaysScroll(page);
    await expectNoAxeFindings(page);
    await stock.getByRole('button', { name: 'Zeitplan speichern' }).click();
    await stock.getByText('Nächster geplanter Lauf:').waitFor();
    const { schedule } = await stage.kontor.ask(api.stockSchedule, { params: { id } });
    expect(schedule.settings).toMatchObject({
      active: true,
      kind: 'interval',
      minutes: 5,
      weekdays: [1, 2, 3, 4, 5, 6],
    });
    await stock.getByRole('button', { name: 'Jetzt ausgeben' }).click();
    await page.getByRole('region', { name: 'Letzte Ausgaben von Bestand und Preis' }).first().waitFor();
    await visit(page, `/verlauf/stock_schedule/export:${id}`);
    await page.getByText('Mo, Di, Mi, Do, Fr, Sa alle 5 Minuten').waitFor();
  });

  it('a text that is no number stops only the save of its own form, and goes when another change is discarded', async () => {
    const { kontor } = stage;
    const times = { active: true, kind: 'times' as const, times: ['05:55'] };
    await kontor.ask(api.saveExportSchedule, { params: { id }, body: times });
    const page = await opened(`/exports/${id}/einstellungen`);
    const card = page.getByRole('region', { name: 'Zeitplan', exact: true });
    const patience = card.getByLabel('Melden, wenn so viele Stunden kein Lauf gelingt');
    const before = await patience.inputValue();
    await patience.press('End');
    await patience.pressSequentially(',5');
    await card.getByText('Bitte eine ganze Zahl eingeben.').waitFor();

    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kanal Nord');
    await page.getByRole('region', { name: 'Speichern' }).getByRole('button', { name: 'Speichern' }).click();
    await expect.poll(async () => (await kontor.ask(api.export, { params: { id } })).settings.name).toBe('Kanal Nord');
    expect(await patience.inputValue()).toBe(`${before},5`);

    await card.getByText('So', { exact: true }).click();
    await card.getByRole('button', { name: 'Verwerfen' }).click();
    await expect.poll(() => patience.inputValue()).toBe(before);
    await expect.poll(() => card.getByText('Bitte eine ganze Zahl eingeben.').count()).toBe(0);
  });

  it('LIV-01 the next run is the one after the run that has just ended, also on an open page', async () => {
    const { kontor } = stage;
    const schedule = (times: string[]) =>
      kontor.ask(api.saveExportSchedule, { params: { id }, body: { active: true, kind: 'times', times } });
    await schedule(['05:55']);
    const page = await opened(`/exports/${id}/einstellungen`);
    const card = page.getByRole('region', { name: 'Zeitplan', exact: true });
    await card.getByText('Nächster geplanter Lauf:').getByText('05:55').waitFor();
    // Stands for the time that passes: the next run is another one when the run has ended.
    await schedule(['04:44']);
    await settled(kontor, (await kontor.ask(api.runExport, { params: { id } })).runid);
    await card.getByText('Nächster geplanter Lauf:').getByText('04:44').waitFor();
  });
});
