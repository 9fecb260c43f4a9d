import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { exclude, rule, set, when } from '../../stages/feed/rules.ts';

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

describe('invalid and hostile requests about unsaved rules', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
  });
  afterAll(() => kontor.close());

  const effect = (asked: Rule, rules: Rule[] = [asked]) =>
    kontor.ask(api.ruleEffect, { params: { masterid }, body: { data: asked.id, rules } });
  const post = (path: string, body: unknown) =>
    kontor.raw(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

  it.each<[string, Rule, string]>([
    [
      'more than 10,000 lines',
      rule('R', [when('titel', 'not_contains_any', 'x\n'.repeat(10_001))], [exclude]),
      'Höchstens 10.000 Zeilen sind erlaubt.',
    ],
    [
      'a pattern with enormous repetitions',
      rule('R', [when('titel', 'regex', '(.*a){1000}')], [exclude]),
      'Invalid Regex: Das Muster ist zu groß: Wiederholungen {…} zählen so oft, wie sie wiederholen.',
    ],
    [
      'an action with a pattern that RE2 does not support',
      rule(
        'R',
        [when('@ALL@')],
        [
          {
            field: 'titel',
            select: 'searchRegex',
            value: [
              { type: '_regex', value: 'a(?=b)' },
              { type: '_string', value: 'x' },
            ],
          },
        ],
      ),
      'Invalid Regex: Look-around (?=…), (?!…), (?<=…), (?<!…) wird nicht unterstützt.',
    ],
    [
      'a numeric comparison with a text',
      rule('R', [when('preis', 'is_greater_than', '1.2.3')], [exclude]),
      'Bitte geben Sie eine Zahl ein.',
    ],
  ])('RUL-07 %s has no effect, and the reason says why', async (_name, asked, reason) => {
    const answer = await effect(asked);
    expect([answer.count.diff, answer.reason]).toEqual([0, expect.stringContaining(reason)]);
    expect((await kontor.ask(api.ruleCounts, { params: { masterid }, body: { rules: [asked] } })).counts[0]?.diff).toBe(
      0,
    );
  });

  it('RUL-03 a list of 10,000 lines works like any other', async () => {
    const lines = Array.from({ length: 9_999 }, (_, at) => `zeile ${at} (.*`).join('\n');
    const asked = rule('Liste', [when('titel', 'contains_any', `${lines}\nBOHR`)], [set('marke', 'x')]);
    expect((await effect(asked)).count).toEqual({ pre: 5, post: 5, diff: 2 });
    const other = rule('Gleich', [when('titel', 'is_equal_any', `${lines}\nbohrer`)], [set('marke', 'x')]);
    expect((await effect(other)).held).toBe(1);
  });

  it('rules of several megabytes and hostile names are answered by every call', async () => {
    const names = [
      "'; DROP TABLE items; --",
      '<script>alert(1)</script>',
      '\u202eabc\u0000'.replace('\u0000', ''),
      '%s%s%n{{7*7}}${1}',
      '__proto__',
      'ﷺ Ω≈ç√∫˜µ 👩‍👩‍👧 ẗ̸̨́',
      ' ',
    ];
    const rules = Array.from({ length: 300 }, (_, at) => {
      const field = names[at % names.length] ?? '';
      const querys = [when(field, 'contains', `${'x'.repeat(8_000)}${at}`), when('titel', 'is_not_empty')];
      return { ...rule(`N${at}x`, querys, [set(field, field), exclude]), name: field };
    });
    expect(JSON.stringify(rules).length).toBeGreaterThan(2_000_000);
    for (const call of [api.ruleCounts, api.ruleImpact, api.ruleFindings]) {
      const answer = await post(pathOf(call, { masterid }), { rules });
      expect([call.path, answer.status]).toEqual([call.path, 200]);
    }
    const asked = rules.at(-1);
    if (!asked) throw new Error('no rule');
    expect((await effect(asked, rules)).reason).toContain('Keiner der 5 Artikel');
    const hostile = rule('Feld', [when("titel' OR 1=1 --", 'is_empty')], [set('__proto__', '"; --')]);
    const { samples, count } = await effect(hostile);
    expect(count.diff).toBe(5);
    expect(samples[0]?.fields).toContainEqual({ field: '__proto__', before: null, after: '"; --' });
  });

  it.each<[string, Rule[]]>([
    [
      '500 rules that each read the result of the previous one',
      Array.from({ length: 500 }, (_, at) =>
        rule(
          `K${at}x`,
          [when('titel', 'contains', at === 0 ? 'bohrer' : `-${at - 1}-`)],
          [{ field: 'titel', select: 'append', value: [{ type: '_string', value: `-${at}-` }] }],
        ),
      ),
    ],
    [
      '40 rankings in sequence',
      Array.from({ length: 40 }, (_, at) =>
        rule(
          `H${at}x`,
          [when('preis', 'is_in_highest', '1')],
          [
            {
              field: 'preis',
              select: 'calculate',
              actionOperator: 'subtract',
              value: [
                { type: '_field', value: 'preis' },
                { type: '_number', value: '50' },
              ],
            },
          ],
        ),
      ),
    ],
  ])(
    'RUL-15 %s run, are counted, shown, checked, compared and explained',
    { timeout: 120_000 },
    async (name, rules) => {
      const { id } = await kontor.ask(api.createExport, {
        params: { masterid },
        body: { name, format: { kind: 'jsonl' } },
      });
      await kontor.ask(api.saveRules, { params: { masterid }, body: rules });
      const { run, text } = await runExport(kontor, id);
      expect([run.state, run.accepted]).toEqual(['done', 5]);
      const first = JSON.parse(text.split('\n')[0] ?? '{}') as Record<string, string>;
      const last = rules.at(-1);
      if (!last) throw new Error('no rule');
      const { counts } = await kontor.ask(api.ruleCounts, { params: { masterid }, body: { rules } });
      expect(counts).toHaveLength(rules.length);
      const shown = await effect(last, rules);
      expect([shown.count.pre, shown.held]).toEqual([5, counts.at(-1)?.held]);
      expect(shown.samples).toHaveLength(shown.held);
      await kontor.ask(api.ruleFindings, { params: { masterid }, body: { rules } });
      const impact = await kontor.ask(api.ruleImpact, { params: { masterid }, body: { rules: rules.slice(0, -1) } });
      expect(impact.exports.find((one) => one.id === id)?.changedItems).toBe(shown.held);
      const preview = await kontor.ask(api.previewExport, { params: { id }, body: { limit: 1 } });
      expect(preview.data[0]).toContain(first['titel']);
      const explained = await kontor.raw(`/api/masters/${masterid}/items/A-1/explain?export=${id}`);
      expect([explained.status, (await explained.text()).includes(first['preis'] ?? '?')]).toEqual([200, true]);
      await kontor.ask(api.saveRules, { params: { masterid }, body: [] });
    },
  );

  it.each([
    ['no rules at all', {}, 422],
    ['a rule without an id', { rules: [{ name: 'x' }] }, 422],
    ['501 rules', { rules: Array.from({ length: 501 }, () => brand) }, 422],
    [
      'an operator that does not exist',
      { rules: [{ ...brand, querys: [{ field: 'titel', select: 'gleicht' }] }] },
      422,
    ],
    [
      'a NUL in a name',
      {
        rules: [rule('R', [{ field: 'titel', select: 'contains', value: 'a' }], [set('marke', 'b')])].map((one) => ({
          ...one,
          name: 'a\0b',
        })),
      },
      422,
    ],
  ])('%s is refused in German', async (_name, body, status) => {
    for (const call of [api.ruleEffect, api.ruleCounts, api.ruleImpact, api.ruleFindings, api.copyRules]) {
      const answer = await post(pathOf(call, { masterid }), { data: brand.id, ...body });
      expect([call.path, answer.status]).toEqual([call.path, status]);
      expect(await answer.json()).toMatchObject({ error: { message: expect.stringMatching(/Angaben/) } });
    }
  });

  it('a viewer may compute unsaved rules, but copies none', async () => {
    const { token: as } = await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } });
    const rulesOf = () => kontor.ask(api.masterRules, { params: { id: masterid } });
    const before = await rulesOf();
    const statuses = [];
    for (const call of [api.ruleEffect, api.ruleCounts, api.ruleImpact, api.ruleFindings, api.copyRules]) {
      const answer = await kontor.raw(pathOf(call, { masterid }), {
        method: 'POST',
        as,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: brand.id, rules: [brand] }),
      });
      statuses.push(answer.status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 403]);
    expect(await rulesOf()).toEqual(before);
  });

  it('every rule call without a session gets 401', async () => {
    for (const call of [api.ruleEffect, api.ruleCounts, api.ruleImpact, api.ruleFindings, api.copyRules]) {
      const answer = await kontor.raw(pathOf(call, { masterid }), {
        method: 'POST',
        as: null,
        headers: { 'content-type': 'application/json', 'x-kontor': '1' },
        body: JSON.stringify({ data: brand.id, rules: [brand] }),
      });
      expect([call.path, answer.status]).toEqual([call.path, 401]);
    }
  });
});
