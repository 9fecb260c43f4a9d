import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { importFile as importNamed, masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import {
  catalogue,
  exportedOnce,
  file,
  importFile,
  numbers,
  row,
  settings,
  twenty,
} from '../../stages/export/twenty-items.ts';

describe('action on difference', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const master = (csv?: string) => catalogue(kontor, csv);
  const exported = (masterid: string) => exportedOnce(kontor, masterid);

  it('DIF-01 DIF-02 settings are stored per catalogue and export, with history; percentages outside 0 to 100 are refused', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    expect((await kontor.ask(api.exportDifference, { params: { id } })).settings).toEqual(settings('no_action'));
    const body = settings('block_send', 10, 20);
    await kontor.ask(api.saveExportDifference, { params: { id }, body });
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('send_notification', 5) });
    expect(await kontor.ask(api.exportDifference, { params: { id } })).toEqual({ settings: body, revision: 1 });
    const [saved] = await kontor.ask(api.revisions, { params: { subject: 'difference', scope: `export:${id}` } });
    expect(saved?.changes).toEqual([
      'Aktion bei Differenz: vorher „Keine Aktion“, jetzt „Übertragung anhalten“.',
      'Negative Differenz: vorher „ohne Grenze“, jetzt „ab 10 %“.',
      'Positive Differenz: vorher „ohne Grenze“, jetzt „ab 20 %“.',
    ]);
    const refused = await kontor.raw(pathOf(api.saveExportDifference, { id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action_on_difference: 'block_send', neg_difference: 101 }),
    });
    expect(refused.status).toBe(422);
  });

  it('DIF-03 a file whose prices shrink to a thousandth is held back, although the catalogue has the same texts', async () => {
    const prices = (first: string) => file([row(1, first), ...numbers(2, 20).map((number) => row(number, '1.500'))]);
    const masterid = await master(prices('12,50'));
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'csv', price: 'plain' } },
    });
    const { text } = await runExport(kontor, id);
    expect(text).toContain('A-2;Ware 2;1500.00;5');
    await kontor.ask(api.saveExportDifference, { params: { id }, body: settings('block_send') });
    await importFile(kontor, masterid, prices('12.50'));
    const { run } = await runExport(kontor, id);
    expect(run).toMatchObject({
      state: 'blocked',
      message: expect.stringContaining(
        '„preis“ ist bei 19 von 20 Artikeln höchstens ein Viertel von bisher.',
      ) as string,
    });
    // The file itself shows what they meant before: it is the same in another spelling.
    await importFile(kontor, masterid, prices('12,50').replaceAll('1.500', '1500,00'));
    expect((await runExport(kontor, id)).run.state).toBe('done');
  });

  it('DIF-02 no_action keeps the thresholds, hides them and does not send them; a stale save changes nothing', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    const form = (
      call: typeof api.saveExportDifference | typeof api.saveImportDifference,
      fields: object,
      ifMatch = '',
    ) => {
      const body = new URLSearchParams(
        Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
      );
      return kontor.raw(pathOf(call, { id, masterid }), {
        method: 'POST',
        body,
        headers: ifMatch === '' ? {} : { 'if-match': ifMatch },
      });
    };
    for (const [save, load] of [
      [api.saveExportDifference, api.exportDifference],
      [api.saveImportDifference, api.importDifference],
    ] as const) {
      const stored = async () => {
        const params = { id, masterid };
        return (await kontor.ask(load, { params })).settings;
      };
      expect((await form(save, settings('block_send', 10, 20))).status).toBe(200);
      expect((await form(save, { action_on_difference: 'no_action' })).status).toBe(200);
      expect(await stored()).toEqual(settings('no_action', 10, 20));
      expect((await form(save, { action_on_difference: 'block_send' })).status).toBe(200);
      expect(await stored()).toEqual(settings('block_send', 10, 20));
      // Two tabs: the second save is refused, and nothing is overwritten.
      expect((await form(save, settings('no_action'), '1')).status).toBe(409);
      expect(await stored()).toEqual(settings('block_send', 10, 20));
    }
  });

  it('DIF-03 an import that loses too many items waits; the old state stays until a release with a reason', async () => {
    const masterid = await master();
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('block_send', 10) });
    const fine = await importFile(kontor, masterid, file(numbers(1, 19).map((number) => row(number))));
    expect(fine.state).toBe('done');
    const held = await importFile(kontor, masterid, file(numbers(1, 17).map((number) => row(number))));
    expect(held).toMatchObject({
      state: 'blocked',
      message: expect.stringContaining('2 Artikel (10,5 %) entfallen') as string,
    });
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(19);
    const shown = await kontor.ask(api.runDifference, { params: { runid: held.runid } });
    expect(shown).toMatchObject({ before: 19, after: 17, removed: 2, added: 0, changed: 0 });
    expect(shown.samples.removed.map(({ id }) => id).toSorted()).toEqual(['A-18', 'A-19']);
    expect(shown.causes).toEqual([expect.stringContaining('Import von')]);
    await kontor.ask(api.releaseRun, { params: { runid: held.runid }, body: { reason: 'Auslaufware' } });
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(17);
  });

  it('DIF-03 send_notification accepts the state and gives the reason; positive difference counts new items', async () => {
    const masterid = await master();
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('send_notification', 0, 25) });
    const run = await importFile(kontor, masterid, file(numbers(1, 25).map((number) => row(number))));
    expect(run.state).toBe('done');
    expect(run.deviation).toEqual(['5 Artikel (25 %) kommen neu hinzu; erlaubt sind weniger als 25 %.']);
    expect((await kontor.ask(api.master, { params: { masterid } })).items).toBe(25);
  });

  it('DIF-03 prices a hundred times higher, a stock of zeros and an emptied field hold the state back', async () => {
    const masterid = await master();
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('block_send', 50, 50) });
    const scaled = await importFile(kontor, masterid, file(numbers(1, 20).map((number) => row(number, '1000,00'))));
    expect(scaled.message).toContain('„preis“ ist bei 20 von 20 Artikeln hundertmal so hoch wie bisher.');
    await kontor.ask(api.cancelRun, { params: { runid: scaled.runid } });
    const empty = await importFile(kontor, masterid, file(numbers(1, 20).map((number) => row(number, '10,00', 0))));
    expect(empty.message).toContain('„bestand“ ist bei keinem Artikel mehr größer als 0; bisher waren es 20.');
    await kontor.ask(api.cancelRun, { params: { runid: empty.runid } });
    const bare = ['sku;titel;bestand', ...numbers(1, 20).map((number) => `A-${number};Ware;5`), ''].join('\n');
    const gone = await importFile(kontor, masterid, bare);
    expect(gone.message).toContain('Das Feld „preis“ fehlt.');
  });

  it('DIF-03 prices and stocks that become 0 or words hold back an import and, if it passes, an export', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    const columns = ['titel', 'preis', 'bestand'].map((field) =>
      ConstructionRow.parse({ id: field, exportfield: field, field: [{ type: '_field', value: field, caption: '' }] }),
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: columns });
    expect((await runExport(kontor, id)).run.state).toBe('done');
    const body = settings('block_send');
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body });
    await kontor.ask(api.saveExportDifference, { params: { id }, body });
    const next = file(
      numbers(1, 20).map((number) => `A-${number};Ware ${number};auf Anfrage;${number === 1 ? '5' : 'leer'}`),
    );
    const held = await importFile(kontor, masterid, next);
    const sentences = [
      '„preis“ ist bei 20 von 20 Artikeln leer, keine Zahl oder nicht mehr größer als 0.',
      '„bestand“ ist bei 19 von 20 Artikeln leer oder keine Zahl mehr.',
    ];
    for (const sentence of sentences) expect(held.message).toContain(sentence);
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('no_action') });
    await importFile(kontor, masterid, next);
    const { run } = await runExport(kontor, id);
    for (const sentence of sentences) expect(run.message).toContain(sentence);
    expect(run.message).toContain('Die bisherige Datei wird weiter ausgeliefert');
  });

  it('DIF-03 a deviating file is held back: the channel keeps the old file and gets the new one after a release', async () => {
    const masterid = await master();
    const id = await exported(masterid);
    await kontor.ask(api.saveExportDifference, { params: { id }, body: settings('block_send', 10) });
    const before = (await runExport(kontor, id)).text;
    await importFile(kontor, masterid, file(numbers(1, 15).map((number) => row(number))));
    const held = await runExport(kontor, id);
    expect(held.run).toMatchObject({ state: 'blocked', difference: { removed: 5, added: 0, changed: 0 } });
    expect(held.run.message).toContain('Die bisherige Datei wird weiter ausgeliefert');
    expect(held.text).toBe(before);
    // Read by everyone in the company, also by users who may not release.
    const [told] = (await kontor.ask(api.notifications)).notifications;
    expect(told).toMatchObject({ event: 'blocked', title: expect.stringMatching(/^Wartet auf Freigabe: Export „/) });
    const shown = await kontor.ask(api.runDifference, { params: { runid: held.run.runid } });
    expect(shown).toMatchObject({ before: 20, after: 15, removed: 5 });
    expect(shown.causes.join()).toContain('kam der Import');
    const released = await kontor.ask(api.releaseRun, {
      params: { runid: held.run.runid },
      body: { reason: 'Sortiment gekürzt' },
    });
    expect(released).toMatchObject({ state: 'done', message: expect.stringContaining('Sortiment gekürzt') as string });
    const now = await (await kontor.raw(pathOf(api.exportFile, { id }))).text();
    expect(now.trim().split('\r\n')).toHaveLength(16);
    const [first] = await kontor.ask(api.revisions, { params: { subject: 'releases', scope: `export:${id}` } });
    expect(first).toMatchObject({ changes: [expect.stringContaining('Begründung: Sortiment gekürzt') as string] });
  });

  it('an import whose items all have another number is accepted, and says so', async () => {
    const masterid = await master();
    const run = await importFile(kontor, masterid, twenty.replaceAll('\nA-', '\na-'));
    expect(run).toMatchObject({ state: 'done', difference: { removed: 20, added: 20 } });
    expect(run.warnings.join(' ')).toContain(
      'Fast alle Artikelnummern sind neu: 20 von 20 bisherigen fehlen, 20 kamen hinzu.',
    );
  });

  it('F17 a catalogue that its supplier renumbered waits at any setting; after another key is chosen its files wait', async () => {
    const hundred = numbers(1, 100).map((number) => row(number));
    const masterid = await master(file(hundred));
    const id = await exported(masterid);
    const held = await importFile(kontor, masterid, file(hundred.map((line) => `N${line}`)));
    expect(held).toMatchObject({
      state: 'blocked',
      message: expect.stringContaining('Von den bisher 100 Artikelnummern sind keine im neuen Stand') as string,
    });
    expect(JSON.stringify(held)).not.toContain('Fast alle Artikelnummern sind neu');
    const artikel = { name: 'artikel.csv', bytes: file(hundred) };
    const rekeyed = await importNamed(kontor, masterid, artikel, { key: 'titel' });
    expect(rekeyed.state).toBe('done');
    expect(JSON.stringify(rekeyed)).toContain('Fast alle Artikelnummern sind neu');
    expect((await runExport(kontor, id)).run).toMatchObject({
      state: 'blocked',
      message: expect.stringMatching(
        /100 Artikelnummern sind keine.+Die bisherige Datei wird weiter ausgeliefert/,
      ) as string,
    });
  });

  it('F17 a catalogue without item numbers waits if its file gains a column of them', async () => {
    const rows = numbers(1, 120).map((number) => `Ware ${number % 7};rot`);
    const masterid = await masterWith(kontor, ['titel;farbe', ...rows].join('\n'));
    const keyed = ['sku;titel;farbe', ...rows.map((line, index) => `A-${index};${line}`)].join('\n');
    const message = expect.stringContaining('120 Artikelnummern') as string;
    expect(await importFile(kontor, masterid, keyed)).toMatchObject({ state: 'blocked', message });
  });

  it('DIF-03 every example of a changed item shows the change: a new, removed or differing field', async () => {
    const text = 'Ein langer Text. '.repeat(30);
    const items = (head: string, cells: (number: number) => string) =>
      [
        'sku;titel;beschreibung;' + head,
        ...numbers(1, 20).map((number) => `A-${number};Ware;${cells(number)}`),
        '',
      ].join('\n');
    const masterid = await master(items('farbe', (number) => `${text}alt ${number};rot`));
    const id = await exported(masterid);
    await kontor.ask(api.saveImportDifference, { params: { masterid }, body: settings('no_action') });
    const imported = await importFile(
      kontor,
      masterid,
      items('marke', (number) => `${text}alt ${number};Nordkap`),
    );
    const shown = await kontor.ask(api.runDifference, { params: { runid: imported.runid } });
    expect(shown.changed).toBe(20);
    expect(shown.fields).toEqual([
      { field: 'farbe', changed: 20 },
      { field: 'marke', changed: 20 },
    ]);
    expect(shown.samples.changed).toHaveLength(10);
    expect(shown.samples.changed[0]?.fields).toEqual([
      { field: 'farbe', before: 'rot', after: null },
      { field: 'marke', before: null, after: 'Nordkap' },
    ]);
    const { run } = await runExport(kontor, id);
    const first = await kontor.ask(api.runDifference, { params: { runid: run.runid } });
    expect(first.samples.changed.map(({ fields }) => fields.map(({ field }) => field))).toEqual(
      Array.from({ length: 10 }, () => ['farbe', 'marke']),
    );
    await importFile(
      kontor,
      masterid,
      items('marke', (number) => `${text}neu ${number};Nordkap`),
    );
    const next = await runExport(kontor, id);
    const told = await kontor.ask(api.runDifference, { params: { runid: next.run.runid } });
    const sample = told.samples.changed[0];
    expect(sample?.fields).toMatchObject([{ field: 'beschreibung' }]);
    expect(sample?.fields[0]?.before).toMatch(/^….*alt \d+$/);
    expect(sample?.fields[0]?.after).toMatch(/^….*neu \d+$/);
  });
});
