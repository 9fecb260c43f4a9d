import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { importFile, settled, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { csvOf, deltaChannel, rowsOf } from '../../stages/export/delta-channel.ts';
import { rule, set, when } from '../../stages/feed/rules.ts';
import { namesIn, sftpServer, textOf } from '../../servers/sftp-server.ts';

describe('exporting only changes', () => {
  let kontor: TestKontor;
  let time = Date.now();
  beforeAll(async () => {
    kontor = await testKontor({}, { clock: { now: () => new Date(time) } });
  });
  afterAll(() => kontor.close());

  const exported = (delta: object = {}) => deltaChannel(kontor, delta);

  it('a file of changes warns of characters that its encoding lacks', async () => {
    const { id, items, load, run } = await exported();
    const { settings } = await kontor.ask(api.export, { params: { id } });
    const format = { ...settings.format, encoding: 'windows-1252' as const };
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, format } });
    await run();
    items.set('A-3', { titel: 'Ware → 3', preis: '13,50', bestand: '3' });
    await load(items);
    const { message, warnings } = await run();
    expect(message).toBe('Nur Änderungen seit Datei 2.');
    expect(warnings).toContainEqual(expect.stringContaining('gibt es im gewählten Zeichensatz nicht'));
  });

  it('a file of changes warns of a column that the supplier renamed', async () => {
    const { id, masterid, items, run } = await exported();
    const rows = ['sku', 'preis'].map((value) => {
      const field = [{ type: '_field', value, caption: value }];
      return ConstructionRow.parse({ id: value, exportfield: value, valuetype: 'field', field });
    });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await run();
    await importFile(kontor, masterid, { name: 'a.csv', bytes: csvOf(items).replace('preis', 'VK') });
    expect(await run()).toMatchObject({
      message: 'Nur Änderungen seit Datei 2.',
      warnings: expect.arrayContaining([expect.stringContaining('Feld „preis“')]),
    });
  });

  it('a run exports new, changed and removed items (stock 0) against the last accepted run; the whole file stays', async () => {
    const { id, items, first, load, run, changes, whole } = await exported();
    expect(first.run.message).toBeNull();
    expect(await changes()).toBe('404');
    items.set('A-3', { titel: 'Ware 3', preis: '99,00', bestand: '3' });
    items.set('B-1', { titel: 'Neu', preis: '5,00', bestand: '1' });
    items.delete('A-9');
    await load(items);
    const changed = await run();
    expect(changed).toMatchObject({
      state: 'done',
      accepted: 3,
      difference: { removed: 1, added: 1, changed: 1 },
      message: 'Nur Änderungen seit Datei 1.',
    });
    expect([...rowsOf(await changes())]).toEqual([
      ['A-3', 'A-3;Ware 3;99,00;3'],
      ['B-1', 'B-1;Neu;5,00;1'],
      ['A-9', 'A-9;Ware 9;19,50;0'],
    ]);
    expect(await whole()).toBe(first.text);
    const asked = () => kontor.ask(api.runDifference, { params: { runid: changed.runid } });
    const told = await asked();
    // Several people look at the same run: each comparison has files of its own.
    expect(await Promise.all([asked(), asked(), asked(), asked()])).toEqual([told, told, told, told]);
    expect(told).toMatchObject({ before: 60, after: 60, removed: 1, added: 1, changed: 1 });
    expect(told.samples.changed[0]).toMatchObject({
      id: 'A-3',
      fields: [{ field: 'preis', before: '13,50', after: '99,00' }],
    });
    expect(await run()).toMatchObject({
      state: 'done',
      accepted: 0,
      message: expect.stringContaining('Keine Änderungen seit Datei 2') as string,
    });
    items.set('A-4', { titel: 'Ware 4', preis: '1,00', bestand: '0' });
    await load(items);
    await run();
    expect([...rowsOf(await changes()).keys()]).toEqual(['A-4']);
    const files = await kontor.ask(api.exportFiles, { params: { id } });
    expect(files.map(({ number, whole: all, live }) => [number, all, live])).toEqual([
      [3, false, false],
      [2, false, false],
      [1, true, true],
    ]);
  });

  it('the first file plus every file of changes equals the final whole file', async () => {
    const { items, first, load, run, changes, whole } = await exported({ removed: 'wait' });
    const state = rowsOf(first.text);
    const gone: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (let step = 0; step < 3; step++) {
        const sku = `A-${(round * 11 + step * 17) % 60}`;
        if (step === 2) {
          items.delete(sku);
          gone.push(sku);
        } else items.set(sku, { titel: `Runde ${round}`, preis: `${round},00`, bestand: String(step) });
      }
      items.set(`N-${round}`, { titel: 'Neu', preis: '1,00', bestand: '1' });
      await load(items);
      await run();
      for (const [sku, line] of rowsOf(await changes())) state.set(sku, line);
    }
    for (const sku of gone) if (!items.has(sku)) state.delete(sku);
    expect(await run({ full: '1' })).toMatchObject({ state: 'done', message: null });
    const sorted = (rows: Map<string, string>) => [...rows.values()].sort();
    expect(sorted(rowsOf(await whole()))).toEqual(sorted(state));
    expect(await changes()).toBe('404');
  });

  it('prices that a new import reinterprets as other numbers trigger a whole file, although no item changed', async () => {
    const { id, items, load, run, changes, whole } = await exported();
    const { settings } = await kontor.ask(api.export, { params: { id } });
    const format = { ...settings.format, price: 'plain' as const };
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, format } });
    // Nothing shows yet what the separator means.
    for (const [sku, item] of items) items.set(sku, { ...item, preis: '1.500' });
    await load(items);
    await run({ full: '1' });
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1;1.50;1');
    items.set('A-0', { titel: 'Ware 0', preis: '12,50', bestand: '0' });
    await load(items);
    await run();
    expect(await changes()).toBe('404');
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1;1500.00;1');
  });

  it('RUL-15 a rule on prices that a new import reinterprets is recomputed for every item', async () => {
    const { id, masterid, items, load, run, changes, whole } = await exported();
    const rows = ['sku', 'titel'].map((value) =>
      ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: value }] }),
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    const value = [
      { type: '_field', value: 'preis' },
      { type: '_number', value: '2' },
    ];
    const twice = { field: 'titel', select: 'calculate', selecttyp: 'calculate', actionOperator: 'multiply', value };
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [rule('Doppelt', [when('@ALL@')], [twice])] });
    for (const [sku, item] of items) items.set(sku, { ...item, preis: '1.500' });
    await load(items);
    await run({ full: '1' });
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;3.00');
    items.set('A-0', { titel: 'Ware 0', preis: '12,50', bestand: '0' });
    await load(items);
    expect(await run()).toMatchObject({ difference: { removed: 0, added: 0, changed: 60 } });
    expect(rowsOf(await changes()).get('A-1')).toBe('A-1;3000.00');
  });

  it('a list with another separator triggers a whole file, although its entries did not change', async () => {
    const { id, run, changes, whole } = await exported();
    const entry = (value: string) => ({ name: '', value: { type: '_field' as const, value, caption: value } });
    const save = (separator: string) =>
      kontor.ask(api.saveConstruction, {
        params: { projectId: id },
        body: [
          ConstructionRow.parse({ id: 'r1', exportfield: 'sku', field: [entry('sku').value] }),
          ConstructionRow.parse({
            id: 'r2',
            exportfield: 'beides',
            valuetype: 'array',
            field: [entry('titel'), entry('bestand')],
            extras: { separator },
          }),
        ],
      });
    await save(', ');
    await run({ full: '1' });
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1, 1');
    await save(' | ');
    await run();
    expect(await changes()).toBe('404');
    expect(rowsOf(await whole()).get('A-1')).toBe('A-1;Ware 1 | 1');
  });

  it('a column renamed by an import counts as removed for every item, although the values are the same', async () => {
    const { masterid, items, changes, run, id } = await exported();
    const rows = ['sku', 'titel', 'bestand'].map((value) =>
      ConstructionRow.parse({ id: value, exportfield: value, field: [{ type: '_field', value, caption: value }] }),
    );
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await run({ full: '1' });
    const bytes = csvOf(items).replace('bestand', 'lager');
    await importFile(kontor, masterid, { name: 'a.csv', bytes });
    expect(await run()).toMatchObject({ difference: { changed: 60 } });
    expect(rowsOf(await changes()).get('A-1')).toBe('A-1;Ware 1;');
  });

  it('FTP-04 changes are uploaded next to the whole file under their own name, the next whole file under the first name', async () => {
    const channel = await sftpServer();
    const { id, items, load, run, whole, changes } = await exported();
    const place = { host: '127.0.0.1', port: channel.port };
    const { fingerprint } = await kontor.ask(api.checkUpload, {
      body: { ...place, username: 'kanal', password: 'geheim' },
    });
    const account = { user: 'kanal', pass: 'geheim', dir: '/eingang', filename: 'datei.csv', fingerprint };
    await kontor.ask(api.saveUpload, { params: { id }, body: { active: true, ...place, ...account } });
    const folder = join(channel.folder, 'eingang');
    const uploaded = async () => {
      const { runs } = await kontor.ask(api.upload, { params: { id } });
      expect(await settled(kontor, runs[0]?.runid ?? '')).toMatchObject({ kind: 'upload', state: 'done' });
      return namesIn(folder);
    };
    await run({ full: 1 });
    expect(await uploaded()).toEqual(['datei.csv']);
    items.set('A-3', { titel: 'Ware 3', preis: '99,00', bestand: '3' });
    await load(items);
    const before = await textOf(join(folder, 'datei.csv'));
    await run();
    expect(await uploaded()).toEqual(['datei-aenderungen.csv', 'datei.csv']);
    expect(await textOf(join(folder, 'datei-aenderungen.csv'))).toBe(await changes());
    expect(await textOf(join(folder, 'datei.csv'))).toBe(before);
    await run({ full: 1 });
    await uploaded();
    expect(await textOf(join(folder, 'datei.csv'))).toBe(await whole());
    expect(await whole()).toContain('99,00');
    await channel.close();
  });

  it('a changed rule and ranks recompute every item, but only items with another result are exported', async () => {
    const { masterid, items, first, load, run, changes, whole } = await exported();
    items.set('A-3', { titel: 'Ware 3', preis: '11,00', bestand: '3' });
    await load(items);
    await run();
    const ranked = rule('Teuerste', [when('preis', 'is_in_highest', '2')], [set('titel', 'TOP')]);
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [ranked] });
    expect(await run()).toMatchObject({ state: 'done', accepted: 2, difference: { removed: 0, added: 0, changed: 2 } });
    expect([...rowsOf(await changes()).keys()].sort()).toEqual(['A-58', 'A-59']);
    expect(await whole()).toBe(first.text);
    items.set('A-0', { titel: 'Ware 0', preis: '500,00', bestand: '0' });
    await load(items);
    expect(await run()).toMatchObject({ difference: { removed: 0, added: 0, changed: 2 } });
    // The item that dropped out of the two most expensive did not change in the catalogue.
    expect([...rowsOf(await changes()).keys()].sort()).toEqual(['A-0', 'A-58']);
  });
});
