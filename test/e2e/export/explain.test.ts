import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { ExplainedRule } from '#shared/explain/schema.ts';
import { importFile, masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import {
  csv,
  explainedCatalogue,
  explainedExport,
  stageOf,
  noPicture,
  markUp,
  bosch,
  paused,
} from '../../stages/feed/explained-catalogue.ts';

describe('explaining an item', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    ({ masterid, exportid } = await explainedCatalogue(kontor));
  });
  afterAll(() => kontor.close());

  const newExport = (name: string) => explainedExport(kontor, masterid, name);
  const explain = (itemid: string, query: { export?: string; field?: string; run?: string } = {}) =>
    kontor.ask(api.explain, { params: { masterid, itemid }, query });
  const brief = ({ number, state, concerns, failed }: ExplainedRule) => [number, state, concerns, failed];

  it('lists every rule in order: matched or not, which condition failed at which value, what it changed', async () => {
    const answer = await explain('A-1', { export: exportid });
    expect(answer).toMatchObject({
      item: { id: 'A-1', title: 'Bohrer' },
      snapshot: { number: 1, live: true },
      present: true,
      export: { id: exportid, name: 'idealo' },
      run: null,
      inExport: true,
      excludedBy: null,
      reason: 'Artikel A-1 ist im Export „idealo“.',
      fileNote: 'Für diesen Export gibt es noch keine Datei.',
      file: null,
    });
    expect(stageOf(answer, 'import').values[2]).toEqual({ field: 'preis', value: '10,92', concerns: true });
    const { rules, revision } = stageOf(answer, 'masterRules');
    expect(revision).toBe(1);
    expect(rules.map(brief)).toEqual([
      [1, 'held', true, null],
      [2, 'held', true, null],
      [3, 'not_held', true, 0],
      [4, 'paused', true, null],
    ]);
    expect(rules[1]).toMatchObject({
      name: 'Aufschlag',
      sentence: 'Für alle Artikel: berechne preis = preis × 1.19',
      changes: [
        {
          field: 'preis',
          before: '10,92',
          after: '12.99',
          sentences: ['berechne preis = preis × 1.19'],
          notCalculated: false,
        },
      ],
    });
    expect(rules[2]?.conditions).toEqual([
      { sentence: 'bild ist leer', field: 'bild', value: 'https://x/1.jpg', compared: null, held: false },
    ]);
    expect(stageOf(answer, 'exportRules').rules[0]).toMatchObject({
      state: 'not_held',
      // The highest price of all items that reach this rule.
      conditions: [{ value: '12.99', compared: '1546.88', held: false }],
    });
  });

  it('an excluded item names the rule, the condition and the tested value', async () => {
    const answer = await explain('A-2', { export: exportid });
    expect(answer).toMatchObject({
      inExport: false,
      excludedBy: { scope: 'master', ruleId: 'ohneBildxx', number: 3, name: 'ohne Bild raus' },
      reason:
        'Artikel A-2 ist nicht im Export „idealo“: Master-Regel 3 „ohne Bild raus“ schließt ihn aus, denn bild ist leer.',
    });
    expect(stageOf(answer, 'masterRules').rules.map(({ state }) => state)).toEqual(['held', 'held', 'held', 'paused']);
    expect(stageOf(answer, 'exportRules').rules.map(({ state }) => state)).toEqual(['not_reached']);
    expect(stageOf(answer, 'construction')).toMatchObject({ reached: false, rows: [] });
    const dearest = await explain('A-4', { export: exportid, field: 'price' });
    expect(dearest.reason).toMatch(/Export-Regel 1 „Teuerstes raus“ schließt ihn aus, denn .* \(Wert: „1546.88“\)\.$/);
    expect(dearest.field).toMatchObject({ name: 'price', kind: 'export', value: null });
    expect(dearest.answer).toBe(
      'price wird nicht gebildet: der Artikel ist ausgeschlossen, bevor er den Feldaufbau erreicht. Bis dahin war preis „1546.88“.',
    );
  });

  it('lists every field of the export with its parts, as written to the file, and marks empty required ones', async () => {
    const { rows: built } = stageOf(await explain('A-1', { export: exportid }), 'construction');
    expect(built.map(({ name, value, written, missing }) => [name, value, written, missing])).toEqual([
      ['id', 'A-1', 'A-1', false],
      ['title', 'Bosch Bohrer', 'Bosch Bohrer', false],
      ['price', '12.99', '12,99', false],
      ['shipping', '4,90', '4,90', false],
      ['ean', null, null, true],
    ]);
    expect(built[1]?.parts).toEqual([
      { field: 'marke', value: 'Bosch' },
      { field: null, value: ' ' },
      { field: 'titel', value: 'Bohrer' },
    ]);
  });

  it('lists every export of the item: its values, their origin compared with the import, and their problems', async () => {
    const valuesOf = async (itemid: string) => kontor.ask(api.itemExportValues, { params: { masterid, itemid } });
    const [first] = await valuesOf('A-1');
    expect(first).toMatchObject({ id: exportid, name: 'idealo', inExport: true });
    expect(first?.values.map(({ name, written, origin, imported }) => [name, written, origin, imported])).toEqual([
      ['id', 'A-1', 'unchanged', null],
      ['title', 'Bosch Bohrer', 'changed', 'Bohrer'],
      ['price', '12,99', 'changed', '10,92'],
      ['shipping', '4,90', 'fixed', null],
      ['ean', null, 'none', null],
    ]);
    expect(first?.values.filter(({ problems }) => problems.length > 0).map(({ name }) => name)).toEqual(['ean']);
    expect(first?.values[4]?.problems).toEqual([
      { severity: 'error', sentence: '„ean“ ist leer, im Feldaufbau aber als Pflicht gekennzeichnet.' },
    ]);
    const [excluded] = await valuesOf('A-2');
    expect(excluded).toMatchObject({ inExport: false, values: [] });
    expect(excluded?.reason).toContain('Master-Regel 3 „ohne Bild raus“ schließt ihn aus');
    const unknown = await kontor.raw(pathOf(api.itemExportValues, { masterid, itemid: 'X-9' }));
    expect(unknown.status).toBe(404);
  });

  it('a field that the channel requires but the construction lacks is listed with its error', async () => {
    const other = await masterWith(kontor, 'sku;titel\nG-1;Hammer\n');
    await kontor.ask(api.createExport, { params: { masterid: other }, body: { name: 'Google', channel: 'google' } });
    const [google] = await kontor.ask(api.itemExportValues, { params: { masterid: other, itemid: 'G-1' } });
    const link = google?.values.find(({ name }) => name === 'link');
    expect(link).toMatchObject({ written: null, origin: 'none', problems: [{ severity: 'error' }] });
  });

  it('for one field, marks only the sources and rules that concern it', async () => {
    const price = await explain('A-1', { export: exportid, field: 'price' });
    expect(price.answer).toBe(
      'price im Export „idealo“ ist „12,99“: Rohwert von preis „10,92“ → Master-Regel 2 „Aufschlag“: preis „12.99“ → Feldaufbau price.',
    );
    const concerned = ({ values }: { values: readonly { field: string; concerns: boolean }[] }) =>
      values.filter(({ concerns }) => concerns).map((value) => value.field);
    expect(concerned(stageOf(price, 'import'))).toEqual(['preis']);
    expect(stageOf(price, 'masterRules').rules.map(brief)).toEqual([
      [1, 'held', false, null],
      [2, 'held', true, null],
      [3, 'not_held', false, 0],
      [4, 'paused', false, null],
    ]);
    const title = await explain('A-1', { export: exportid, field: 'title' });
    expect(concerned(stageOf(title, 'import'))).toEqual(['titel', 'marke']);
    // A paused rule for one of its fields is worth knowing.
    expect(stageOf(title, 'masterRules').rules.map(({ concerns }) => concerns)).toEqual([true, false, false, true]);
    expect(title.fields.find(({ name }) => name === 'title')).toEqual({
      name: 'title',
      raw: [
        { field: 'titel', value: 'Bohrer', used: true },
        // A fixed text has replaced it.
        { field: 'marke', value: 'BOSCH', used: false },
      ],
      value: 'Bosch Bohrer',
      changedBy: [{ scope: 'master', ruleId: 'Markexxxxx', number: 1, name: 'Marke' }],
    });
    const shipping = await explain('A-1', { export: exportid, field: 'shipping' });
    expect(shipping.answer).toBe('shipping im Export „idealo“ ist „4,90“: fester Text im Feldaufbau.');
    expect((await explain('A-1', { export: exportid, field: 'ean' })).answer).toBe(
      'ean im Export „idealo“ ist leer: „ean“ gibt es weder im Import noch aus einer Regel.',
    );
    const unknown = await explain('A-1', { export: exportid, field: 'gibtesnicht' });
    expect(unknown.field).toEqual({ name: 'gibtesnicht', kind: 'unknown', value: null, raw: [] });
    expect(unknown.answer).toMatch(/weder im Katalog noch im Export/);
  });

  it('without an export the explanation ends after the master rules; a failed calculation is reported', async () => {
    const answer = await explain('A-3', { field: 'preis' });
    expect(answer.stages.map(({ kind }) => kind)).toEqual(['import', 'masterRules']);
    expect(answer.reason).toBe('Artikel A-3 ist im Katalog, und keine Master-Regel schließt ihn aus.');
    expect(answer.fileNote).toBeNull();
    expect(answer.answer).toBe('preis im Katalog ist „8.93“: Rohwert „7,50“ → Master-Regel 2 „Aufschlag“: „8.93“.');
    const other = await masterWith(kontor, 'sku;preis\nB-1;auf Anfrage\n');
    await kontor.ask(api.saveMasterRules, { params: { masterid: other }, body: [markUp()] });
    const unpriced = await kontor.ask(api.explain, {
      params: { masterid: other, itemid: 'B-1' },
      query: { field: 'preis' },
    });
    expect(unpriced.answer).toBe(
      'preis im Katalog ist „auf Anfrage“: Rohwert „auf Anfrage“ → Master-Regel 1 „Aufschlag“: nicht berechenbar.',
    );
    expect(stageOf(unpriced, 'masterRules').rules[0]?.changes[0]).toMatchObject({
      before: 'auf Anfrage',
      after: 'auf Anfrage',
      notCalculated: true,
    });
    expect((await explain('A-3', { field: 'titel' })).answer).toBe(
      'titel im Katalog ist „Hammer“: unverändert aus dem Import.',
    );
  });

  it("„Warum stand gestern 12,99 in der Datei?“: explains an older run and why today's value differs", async () => {
    const id = await newExport('Preisportal');
    const { run, text: file } = await runExport(kontor, id);
    expect(file).toContain('A-1;Bosch Bohrer;12,99;4,90;');
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [bosch, markUp('1.5'), noPicture, paused] });
    const changed = csv.replace('A-1;Bohrer;10,92', 'A-1;Bohrmaschine;20,01').replace('A-4;', 'A-5;');
    await importFile(kontor, masterid, { name: 'neu.csv', bytes: changed });

    const then = await explain('A-1', { export: id, field: 'price', run: run.runid });
    expect(then.snapshot).toMatchObject({ number: 1, live: false });
    expect(then.answer).toContain('ist „12,99“: Rohwert von preis „10,92“ → Master-Regel 2 „Aufschlag“: preis „12.99“');
    expect(then.reason).toMatch(/^Im Lauf vom \d+\.\d+\.\d{4}, \d\d:\d\d ist Artikel A-1 im Export „Preisportal“\.$/);
    expect(then.fileNote).toBe('Die Datei dieses Laufs enthält ihn mit genau diesen Werten.');
    // The run determines its export.
    expect((await explain('A-1', { run: run.runid })).export).toEqual({ id, name: 'Preisportal' });

    const now = await explain('A-1', { export: id, field: 'price' });
    expect(now.field?.value).toBe('30,02');
    expect(now.file?.differences).toEqual([
      { name: 'title', file: 'Bosch Bohrer', now: 'Bosch Bohrmaschine', causes: ['import'] },
      { name: 'price', file: '12,99', now: '30,02', causes: ['import', 'masterRules'] },
    ]);
    expect(now.file?.causes.map(({ kind }) => kind)).toEqual(['import', 'masterRules']);
    expect(now.fileNote).toMatch(
      /^In der Datei vom .* stehen noch 2 andere Werte\. Seitdem kam der Import vom .* \(Stand 2\), und außerdem wurden die Master-Regeln geändert \(zuletzt am .* von .+\)\. Der nächste Lauf übernimmt die neuen\.$/,
    );

    // New since the file, and deleted since the file.
    const fresh = await explain('A-5', { export: id });
    expect(fresh).toMatchObject({ inExport: true, file: { present: false } });
    expect(fresh.fileNote).toMatch(/steht er noch nicht\. Seitdem kam der Import .*Der nächste Lauf nimmt ihn auf\.$/);
    expect(fresh.fileNote).not.toContain('Regeln');
    const gone = await explain('A-4', { export: id });
    expect(gone).toMatchObject({
      present: false,
      inExport: false,
      lastSeen: { number: 1 },
      stages: [],
      file: { present: true },
    });
    expect(gone.reason).toMatch(
      /^Artikel A-4 ist nicht im Export „Preisportal“: er fehlt seit dem Import vom .* \(Stand 2\)\. Zuletzt war er im Stand 1 vom .*\.$/,
    );
    expect(gone.fileNote).toMatch(/steht er noch\. Seitdem kam der Import .* Der nächste Lauf nimmt ihn heraus\.$/);
    const early = await explain('A-5', { export: id, run: run.runid });
    expect(early).toMatchObject({ present: false, lastSeen: null });
    expect(early.reason).toMatch(/Artikelstand 1 vom .* noch nicht enthalten; er kam erst später dazu\.$/);

    const exports = await kontor.ask(api.itemExports, { params: { masterid, itemid: 'A-5' } });
    expect(exports.map(({ name, inExport, inFile }) => [name, inExport, inFile])).toEqual([
      ['idealo', false, null],
      ['Preisportal', true, false],
    ]);
    expect(exports[0]?.reason).toContain('Teuerstes raus');

    for (const old of globSync(`**/${masterid}/snapshots/1.parquet`, { cwd: kontor.dataFolder }))
      await rm(join(kontor.dataFolder, old));
    const way = pathOf(api.explain, { masterid, itemid: 'A-1' });
    const swept = await kontor.raw(`${way}?export=${id}&run=${run.runid}`);
    const error = {
      code: 'snapshot_gone',
      message: expect.stringContaining('Artikelstand 1 wird nicht mehr aufbewahrt'),
    };
    expect([swept.status, await swept.json()]).toMatchObject([410, { error }]);
    // The present can still be explained, but the causes of the differences can no longer be found.
    const later = await explain('A-1', { export: id });
    expect(later.file?.differences.map(({ causes }) => causes)).toEqual([[], []]);
  });
});
