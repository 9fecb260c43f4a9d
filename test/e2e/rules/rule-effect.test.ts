import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { exclude, rule, set, when, type Deps } from '../../stages/feed/rules.ts';

const csv = [
  'sku;titel;preis;marke',
  'A-1;Bohrer;12,50;BOSCH',
  'A-2;Säge;9,90;bosch',
  'A-3;Großer Müllsack;1;',
  'A-4;Hammer;1.299,90;Fjord',
  'A-5;Bohrer klein;3,00;Fjord',
  '',
].join('\n');

const brand = rule('Marke', [when('marke', 'is_equal', 'bosch')], [set('marke', 'Bosch')]);
const cheap = rule('Billig', [when('preis', 'is_less_than', '5')], [exclude]);
const calculate: Deps = { field: 'preis', select: 'calculate', actionOperator: 'multiply' };
const times = { type: '_number', value: '2' };

describe('the effect of unsaved rules', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
    const made = { name: 'Export', format: { kind: 'jsonl' as const } };
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: made })).id;
    await kontor.ask(api.saveRules, { params: { masterid }, body: [cheap] });
  });
  afterAll(() => kontor.close());

  const effect = (asked: Rule, rules: Rule[] = [asked], id = masterid) =>
    kontor.ask(api.ruleEffect, { params: { masterid: id }, body: { data: asked.id, rules } });
  const post = (path: string, body: unknown) =>
    kontor.raw(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  it('RUL-11 the effect of the edited rule: counts, every condition alone and together, items before and after', async () => {
    const asked = rule(
      'Bohrer',
      [when('titel', 'contains', 'bohrer'), when('marke', 'is_equal', 'bosch')],
      [set('marke', 'Bosch')],
    );
    expect(await effect(asked)).toEqual({
      count: { pre: 5, post: 5, diff: 1 },
      held: 1,
      unchanged: 0,
      conditions: [
        { alone: 2, together: 2 },
        { alone: 2, together: 1 },
      ],
      samples: [
        {
          id: 'A-1',
          title: 'Bohrer',
          excluded: false,
          fields: [
            { field: 'titel', before: 'Bohrer', after: 'Bohrer' },
            { field: 'marke', before: 'BOSCH', after: 'Bosch' },
          ],
        },
      ],
      reason: null,
    });
  });

  it('RUL-11 samples list changed items before items that only match', async () => {
    const asked = rule('Fjord', [when('@ALL@')], [set('marke', 'Fjord')]);
    const { samples, held, count } = await effect(asked);
    expect([held, count.diff]).toEqual([5, 3]);
    expect(samples.map(({ id }) => id)).toEqual(['A-1', 'A-2', 'A-3', 'A-4', 'A-5']);
    const late = rule('Bosch', [when('@ALL@')], [set('marke', 'bosch')]);
    expect((await effect(late)).samples.map(({ id }) => id)).toEqual(['A-1', 'A-3', 'A-4', 'A-5', 'A-2']);
  });

  it('RUL-08 a new rule that is still paused is computed as if it were active', async () => {
    const asked = { ...cheap, active: false };
    expect((await effect(asked)).count).toEqual({ pre: 5, post: 3, diff: 2 });
    const { samples } = await effect(asked);
    expect(samples.map(({ id, excluded }) => [id, excluded])).toEqual([
      ['A-3', true],
      ['A-5', true],
    ]);
  });

  it('RUL-11 the effect is computed after the rules above, and for an export after those of its master', async () => {
    const asked = rule('Alle', [when('@ALL@')], [set('neu', 'x')]);
    expect((await effect(asked, [cheap, asked])).count).toEqual({ pre: 3, post: 3, diff: 3 });
    expect((await effect(asked, [asked], exportid)).count).toEqual({ pre: 3, post: 3, diff: 3 });
  });

  it('a condition on all fields shows the fields that match', async () => {
    const asked = rule('Suche', [when('@ALL@', 'contains', 'bosch')], [set('preis', '1')]);
    const { samples } = await effect(asked);
    expect(samples[0]?.fields).toEqual([
      { field: 'preis', before: '12,50', after: '1' },
      { field: 'marke', before: 'BOSCH', after: 'BOSCH' },
    ]);
  });

  it.each<[string, Rule[], string]>([
    [
      'a condition that no item meets',
      [rule('R', [when('titel', 'contains', 'xyz')], [exclude])],
      'Keiner der 5 Artikel, die die Regel erreichen, erfüllt: titel enthält „xyz“.',
    ],
    [
      'conditions that no item meets together',
      [rule('R', [when('titel', 'contains', 'säge'), when('marke', 'is_equal', 'fjord')], [exclude])],
      'Jede Bedingung trifft allein zu, aber keine Artikel erfüllen alle zugleich: nach der ersten Bedingung bleibt 1 Artikel, und davon erfüllt keiner: marke entspricht „fjord“.',
    ],
    [
      'a previous rule that excludes all items',
      [rule('Leer', [when('@ALL@')], [exclude]), rule('R', [when('@ALL@')], [set('marke', 'x')])],
      'Keine Artikel erreichen die Regel: Regel „Leer“ schließt vorher alle aus.',
    ],
    [
      'values that are already set',
      [rule('R', [when('marke', 'is_equal', 'fjord')], [set('marke', 'Fjord')])],
      'Die Bedingungen treffen auf 2 Artikel zu, aber die Werte sind dort schon so.',
    ],
    [
      'a pattern that RE2 does not know',
      [rule('R', [when('titel', 'regex', '(?=x)')], [exclude])],
      'Keiner der 5 Artikel, die die Regel erreichen, erfüllt: titel passt auf RegEx „(?=x)“. Invalid Regex: Look-around (?=…), (?!…), (?<=…), (?<!…) wird nicht unterstützt.',
    ],
    [
      'a field that does not exist',
      [rule('R', [when('farbe', 'contains', 'rot')], [exclude])],
      'Keiner der 5 Artikel, die die Regel erreichen, erfüllt: farbe enthält „rot“. Das Feld „farbe“ gibt es nicht.',
    ],
    [
      'an empty value',
      [rule('R', [when('titel', 'contains', '')], [exclude])],
      'Keiner der 5 Artikel, die die Regel erreichen, erfüllt: titel enthält „“. Es ist kein Wert eingetragen.',
    ],
    [
      'a calculation with an empty field',
      [rule('R', [when('marke', 'is_empty')], [{ ...calculate, value: [{ type: '_field', value: 'marke' }, times] }])],
      'Die Bedingungen treffen auf 1 Artikel zu, aber 1 Wert konnte nicht berechnet werden („marke“ ist leer oder keine Zahl), und alles andere ist dort schon so.',
    ],
    [
      'a calculation without a number',
      [rule('R', [when('marke', 'is_empty')], [{ ...calculate, value: [{ type: '_number', value: '' }] }])],
      'Die Bedingungen treffen auf 1 Artikel zu, aber 1 Wert konnte nicht berechnet werden (zu „berechne preis“ ist keine Zahl eingetragen), und alles andere ist dort schon so.',
    ],
  ])('RUL-11 the reason for %s is given in German', async (_name, rules, reason) => {
    const asked = rules.at(-1);
    if (!asked) throw new Error('no rule');
    expect((await effect(asked, rules)).reason).toBe(reason);
  });

  it('every rule is counted at its position; paused ones let everything pass', async () => {
    const paused = rule('Pause', [when('@ALL@')], [exclude], { active: false });
    const counts = await kontor.ask(api.ruleCounts, { params: { masterid }, body: { rules: [brand, cheap, paused] } });
    expect(counts).toEqual({
      total: 5,
      counts: [
        { ruleId: brand.id, pre: 5, post: 5, diff: 2, held: 2 },
        { ruleId: cheap.id, pre: 5, post: 3, diff: 2, held: 2 },
        { ruleId: paused.id, pre: 3, post: 3, diff: 0, held: 0 },
      ],
    });
    const inExport = await kontor.ask(api.ruleCounts, { params: { masterid: exportid }, body: { rules: [brand] } });
    expect(inExport).toEqual({ total: 5, counts: [{ ruleId: brand.id, pre: 3, post: 3, diff: 2, held: 2 }] });
  });

  it('paused rules of an export that read a mapping show the items that the rules above leave, not all imported ones', async () => {
    const mapping = { name: 'Herkunft', active: true, kind: 'value' as const, data: [] };
    await kontor.ask(api.saveMapping, { params: { masterid, mappingid: 'Herkunft01' }, body: mapping });
    const paused = rule('Pause', [when('_mapping:Herkunft', 'is_equal', 'x')], [exclude], { active: false });
    const counts = await kontor.ask(api.ruleCounts, { params: { masterid: exportid }, body: { rules: [paused] } });
    expect(counts).toEqual({ total: 5, counts: [{ ruleId: paused.id, pre: 3, post: 3, diff: 0, held: 0 }] });
  });

  it('copied rules are appended paused to the other list, with new ids and the same names', async () => {
    const params = { masterid: exportid };
    await kontor.ask(api.saveRules, { params, body: [brand] });
    const unknown = rule('Fremd', [when('gibt es nicht', 'contains', 'x')], [exclude]);
    const answer = await kontor.ask(api.copyRules, { params, body: { rules: [brand, unknown] } });
    expect(answer.message).toBe('2 Regeln pausiert kopiert');
    const there = await kontor.ask(api.rules, { params });
    expect(there.map(({ name, active }) => [name, active])).toEqual([
      ['Marke', true],
      ['Marke', false],
      ['Fremd', false],
    ]);
    expect(new Set(there.map(({ id }) => id)).size).toBe(3);
    await kontor.ask(api.saveRules, { params, body: [] });
  });

  it('no copy makes a list longer than 500 rules', async () => {
    const params = { masterid: exportid };
    const many = Array.from({ length: 499 }, (_, at) => ({ ...brand, id: `Many${String(at).padStart(6, '0')}` }));
    await kontor.ask(api.saveRules, { params, body: many });
    const answer = await post(pathOf(api.copyRules, params), { rules: [brand, cheap] });
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({
      error: { message: 'Eine Liste hat höchstens 500 Regeln; dort wären es 501. Es wurde nichts kopiert.' },
    });
    expect(await kontor.ask(api.rules, { params })).toHaveLength(499);
    await kontor.ask(api.saveRules, { params, body: [] });
  });

  it('the impact lists removed, changed and emptied values in every export, with examples', async () => {
    const row = (id: string, exportfield: string, mp_state: string, ...field: Deps[]) => ({
      id,
      exportfield,
      mp_state,
      field,
    });
    const from = (value: string) => ({ type: '_field', value });
    const made = { name: 'Amazon', format: { kind: 'jsonl' as const } };
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: made });
    const construction = [
      row('1', 'id', 'Required', from('_id')),
      row('2', 'brand', 'Required', from('marke')),
      row('3', 'name', 'Optional', from('marke'), { type: '_string', value: ' ' }, from('titel')),
      row('4', 'price', '', from('preis')),
    ];
    await kontor.ask(api.saveConstruction, {
      params: { projectId: id },
      body: ConstructionRow.array().parse(construction),
    });
    const noFjord = rule('Fjord', [when('marke', 'is_equal', 'fjord')], [set('marke', '')]);
    const saws = rule('Saegen', [when('titel', 'contains', 'säge')], [exclude]);
    const impact = (rules: Rule[], of = masterid) =>
      kontor.ask(api.ruleImpact, { params: { masterid: of }, body: { rules } });
    const { exports } = await impact([brand, noFjord, saws]);
    expect(exports.map(({ name }) => name)).toEqual(['Export', 'Amazon']);
    expect(exports[1]).toEqual({
      id,
      name: 'Amazon',
      before: 3,
      after: 4,
      removed: 1,
      added: 2,
      changedItems: 2,
      changedValues: 4,
      fields: [
        {
          name: 'brand',
          required: true,
          changed: 2,
          emptied: 1,
          samples: [
            { id: 'A-1', before: 'BOSCH', after: 'Bosch' },
            { id: 'A-4', before: 'Fjord', after: null },
          ],
        },
        {
          name: 'name',
          required: false,
          changed: 2,
          emptied: 0,
          samples: [
            { id: 'A-1', before: 'BOSCH Bohrer', after: 'Bosch Bohrer' },
            { id: 'A-4', before: 'Fjord Hammer', after: ' Hammer' },
          ],
        },
      ],
      removedItems: ['A-2'],
      addedItems: ['A-3', 'A-5'],
    });
    // The same rules again change nothing; an export's own rules only affect that export.
    expect((await impact([cheap])).exports).toMatchObject([
      { before: 3, after: 3, changedItems: 0, fields: [], removed: 0, added: 0 },
      { before: 3, after: 3, changedItems: 0, fields: [], removed: 0, added: 0 },
    ]);
    const own = await impact([brand], id);
    expect(own.exports).toMatchObject([{ id, before: 3, after: 3, changedItems: 2, changedValues: 4 }]);
  });

  it('T12 unknown rules and foreign ids get 404, a catalogue without items 409', async () => {
    const unknown = await post(pathOf(api.ruleEffect, { masterid }), { data: 'Unbekannt0', rules: [brand] });
    expect(unknown.status).toBe(404);
    const empty = await kontor.ask(api.createMaster, { body: { name: 'Leer' } });
    for (const call of [api.ruleEffect, api.ruleCounts, api.ruleImpact]) {
      const foreign = await post(pathOf(call, { masterid: 'xxxxxxxxxxxx' }), { data: brand.id, rules: [brand] });
      expect(foreign.status).toBe(404);
      const none = await post(pathOf(call, { masterid: empty.masterid }), { data: brand.id, rules: [brand] });
      expect([none.status, await none.json()]).toMatchObject([409, { error: { code: 'no_items' } }]);
    }
  });
});
