import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/api.ts';
import { pathOf } from '#shared/call.ts';
import { ConstructionRow } from '#shared/construction.ts';
import type { ExplainedRule, ExplainedStage, Explanation } from '#shared/explain.ts';
import { Rule } from '#shared/rules.ts';
import { importFile, masterWith, runExport, testKontor, type TestKontor } from './support/kontor.ts';

const csv = [
  'sku;titel;preis;marke;bild',
  'A-1;Bohrer;10,92;BOSCH;https://x/1.jpg',
  'A-2;Säge;9,90;bosch;',
  'A-3;Hammer;auf Anfrage;Fjord;https://x/3.jpg',
  'A-4;Zange;1.299,90;Fjord;https://x/4.jpg',
  '',
].join('\n');

const rule = (id: string, name: string, querys: object[], actions: object[], active = true) =>
  Rule.parse({
    id: id.padEnd(10, 'x'),
    name,
    active,
    querys: querys.map((one, index) => ({ id: `q${index}`, ...one })),
    actions: actions.map((one, index) => ({ id: `a${index}`, ...one })),
  });
const all = [{ field: '@ALL@' }];
const text = (value: string) => [{ type: '_string', value }];
const times = (field: string, factor: string) => ({
  field,
  select: 'calculate',
  selecttyp: 'calculate',
  actionOperator: 'multiply',
  value: [
    { type: '_field', value: '' },
    { type: '_number', value: factor },
  ],
});
const noPicture = rule(
  'ohneBild',
  'ohne Bild raus',
  [{ field: 'bild', select: 'is_empty' }],
  [{ field: '@ALL@', select: 'unset' }],
);
const markUp = (factor = '1.19') => rule('Aufschlag', 'Aufschlag', all, [times('preis', factor)]);
const bosch = rule(
  'Marke',
  'Marke',
  [{ field: 'marke', select: 'is_equal', value: 'bosch' }],
  [{ field: 'marke', select: 'set', value: text('Bosch') }],
);
const paused = rule('Pause', 'Pause', all, [{ field: 'titel', select: 'set', value: text('weg') }], false);
const dear = rule(
  'Teuer',
  'Teuerstes raus',
  [{ field: 'preis', select: 'is_in_highest', value: '1' }],
  [{ field: '@ALL@', select: 'unset' }],
);

const field = (value: string) => ({ type: '_field', value });
const rows = [
  { exportfield: 'id', valuetype: 'field', field: [{ type: '_intern', value: '_id' }], mp_state: 'Required' },
  {
    exportfield: 'title',
    valuetype: 'combine',
    field: [field('marke'), { type: '_string', value: ' ' }, field('titel')],
  },
  { exportfield: 'price', valuetype: 'field', field: [field('preis')], mp_state: 'Required' },
  { exportfield: 'shipping', valuetype: 'input', field: [{ type: '_string', value: '4,90' }] },
  { exportfield: 'ean', valuetype: 'field', field: [field('ean')], mp_state: 'Required' },
].map((row, index) => ConstructionRow.parse({ id: `c${index}`, ...row }));

describe('explaining an item', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
    exportid = await newExport('idealo');
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [bosch, markUp(), noPicture, paused] });
    await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [dear] });
  });
  afterAll(() => kontor.close());

  const newExport = async (name: string) => {
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name, format: 'csv', decimal: 'comma' },
    });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    return id;
  };
  const explain = (itemid: string, query: { export?: string; field?: string; run?: string } = {}) =>
    kontor.ask(api.explain, { params: { masterid, itemid }, query });
  const stageOf = <K extends ExplainedStage['kind']>({ stages }: Explanation, kind: K) => {
    const found = stages.find((stage): stage is Extract<ExplainedStage, { kind: K }> => stage.kind === kind);
    if (!found) throw new Error(`no stage ${kind}`);
    return found;
  };
  const brief = ({ number, state, concerns, failed }: ExplainedRule) => [number, state, concerns, failed];

  it('every rule in its order: held or not, which condition failed at which value, what it changed', async () => {
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
      // The highest price of all items that get so far.
      conditions: [{ value: '12.99', compared: '1546.88', held: false }],
    });
  });
});
