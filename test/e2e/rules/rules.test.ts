import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { Condition, Rule } from '#shared/rules/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { lines, withExport } from '../../stages/feed/assigned-catalogue.ts';

const csv =
  'sku;titel;preis;marke\nA-1;Bohrer;12,50;BOSCH\nA-2;Säge;9,90;bosch\nA-3;Großer Müllsack;1;\nA-4;Hammer;1.299,90;Fjord\n';

const rule = (id: string, name: string, querys: object[], actions: object[], more: object = {}) =>
  Rule.parse({
    id,
    name,
    active: true,
    querys: querys.map((one, index) => ({ id: `q${index}`, ...one })),
    actions: actions.map((one, index) => ({ id: `a${index}`, ...one })),
    ...more,
  });
const text = (value: string) => [{ type: '_string', value }];
const bosch = rule(
  'RuleBosch1',
  'Bosch',
  [{ field: 'marke', select: 'is_equal', value: 'bosch' }],
  [{ field: 'marke', select: 'set', value: text('Bosch') }],
);
const cheap = rule(
  'RuleCheap2',
  'Billiges raus',
  [{ field: 'preis', select: 'is_less_than', value: '5' }],
  [{ field: '@ALL@', select: 'unset' }],
);
const title = rule(
  'RuleTitle3',
  'Titel',
  [{ field: '@ALL@' }],
  [{ field: 'titel', select: 'append', value: text(' neu') }],
);

describe('rules', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    ({ masterid, exportid } = await withExport(kontor, csv));
  });
  afterAll(() => kontor.close());

  it('RUL-13 the rules of a scope are returned as JSON text of the whole ordered list', async () => {
    await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [bosch, cheap] });
    const answer = await kontor.raw(`/api/master_operators/rule/${masterid}`, { method: 'POST' });
    expect((JSON.parse(await answer.text()) as Rule[]).map((one) => one.id)).toEqual(['RuleBosch1', 'RuleCheap2']);
    await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [title] });
    expect((await kontor.ask(api.rules, { params: { masterid: exportid } })).map((one) => one.name)).toEqual(['Titel']);
    // In the master's path an export's id means its master.
    expect(await kontor.ask(api.masterRules, { params: { id: exportid } })).toHaveLength(2);
  });

  it('RUL-15 master rules run before export rules, and the export file shows both', async () => {
    const { run, text: file } = await runExport(kontor, exportid);
    expect(run).toMatchObject({ state: 'done', rowsIn: 4, accepted: 3, rejected: 1 });
    expect(lines(file)).toEqual([
      { sku: 'A-1', titel: 'Bohrer neu', preis: '12,50', marke: 'Bosch' },
      { sku: 'A-2', titel: 'Säge neu', preis: '9,90', marke: 'Bosch' },
      { sku: 'A-4', titel: 'Hammer neu', preis: '1.299,90', marke: 'Fjord' },
    ]);
  });

  it('GEN-03 a paused rule stays in the list and is not executed', async () => {
    await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [{ ...title, active: false }] });
    const { text: file } = await runExport(kontor, exportid);
    expect(lines(file)[0]?.['titel']).toBe('Bohrer');
    expect((await kontor.ask(api.rules, { params: { masterid: exportid } }))[0]).toMatchObject({
      active: false,
      name: 'Titel',
    });
  });

  it('RUL-14 deleting a rule takes it from the list and keeps the others', async () => {
    await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [title, { ...cheap, id: 'RuleOther4' }] });
    await kontor.ask(api.deleteRule, { params: { masterid: exportid, ruleid: 'RuleOther4' } });
    expect((await kontor.ask(api.rules, { params: { masterid: exportid } })).map((one) => one.id)).toEqual([
      'RuleTitle3',
    ]);
    const gone = await kontor.raw(pathOf(api.deleteRule, { masterid: exportid, ruleid: 'RuleOther4' }), {
      method: 'POST',
    });
    expect(gone.status).toBe(404);
  });

  it('RUL-11 statistics of unsaved rules give items before, after and changed, and list the matching items', async () => {
    const asked = await kontor.ask(api.ruleStatistics, {
      params: { masterid },
      body: {
        data: 'RuleCheap2',
        rules: [bosch, { ...cheap, querys: [{ ...Condition.parse(cheap.querys[0]), value: '10' }] }],
      },
    });
    expect(asked).toMatchObject({ count: { pre: 4, post: 2, diff: 2 }, total: 2, finished: true });
    const name = (id: string) => asked.columns.find((column) => column.id === id)?.name;
    expect(
      asked.data.map((row) =>
        Object.fromEntries(Object.entries(row).map(([id, value]) => [id === '_id' ? id : name(id), value])),
      ),
    ).toEqual([
      { _id: 'A-2', sku: 'A-2', titel: 'Säge', preis: '9,90', marke: 'Bosch' },
      { _id: 'A-3', sku: 'A-3', titel: 'Großer Müllsack', preis: '1', marke: null },
    ]);
    // The query saved nothing.
    expect((await kontor.ask(api.masterRules, { params: { id: masterid } }))[1]?.querys[0]?.value).toBe('5');
  });

  it('RUL-12 the CSV has every matching item with the result of the unsaved rule, and the item number once', async () => {
    const items = Array.from(
      { length: 5000 },
      (_, index) => `B-${index};Bohrer;${index % 2 === 0 ? 'bosch' : 'Fjord'}`,
    );
    const many = await masterWith(kontor, ['sku;titel;marke', ...items, ''].join('\n'), { key: 'sku' });
    const csvOf = async (asked: Rule) => {
      const answer = await kontor.raw(pathOf(api.ruleCsv, { masterid: many }), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ data: asked.id, rules: [asked] }),
      });
      const lines = Buffer.from(await answer.arrayBuffer())
        .toString('utf8')
        .trimEnd()
        .split('\r\n');
      return { name: answer.headers.get('content-disposition'), lines };
    };
    const shown = await csvOf({ ...bosch, name: 'Bosch groß' });
    expect(shown.name).toBe(
      `attachment; filename="Artikel-Regel-Bosch-gro.csv"; filename*=UTF-8''Artikel-Regel-Bosch-gro%C3%9F.csv`,
    );
    expect(shown.lines[0]).toBe('\ufeff"sku";"titel";"marke"');
    expect(shown.lines).toHaveLength(2501);
    expect(shown.lines.slice(1, 3)).toEqual(['"B-0";"Bohrer";"Bosch"', '"B-2";"Bohrer";"Bosch"']);
    expect(shown.lines.at(-1)).toBe('"B-4998";"Bohrer";"Bosch"');
    // A rule that writes to the item number's field shows its result next to the number.
    const [action] = bosch.actions;
    const renamed = await csvOf({ ...bosch, actions: action === undefined ? [] : [{ ...action, field: 'sku' }] });
    expect(renamed.lines.slice(0, 2)).toEqual(['\ufeff"sku";"sku";"titel";"marke"', '"B-0";"Bosch";"Bohrer";"bosch"']);
  });

  it('RUL-11 an export rule is computed after the master rules', async () => {
    const asked = await kontor.ask(api.ruleStatistics, {
      params: { masterid: exportid },
      body: { data: 'RuleTitle3', rules: [title] },
    });
    expect(asked.count).toEqual({ pre: 3, post: 3, diff: 3 });
  });

  it('a new rule that is still paused is computed as if it were active', async () => {
    const asked = await kontor.ask(api.ruleStatistics, {
      params: { masterid },
      body: { data: 'RuleCheap2', rules: [{ ...cheap, active: false }] },
    });
    expect(asked.count).toEqual({ pre: 4, post: 3, diff: 1 });
  });

  it.each([
    ['RUL-10 an empty name', { name: '' }, 'Bitte geben Sie einen Namen ein.'],
    [
      'RUL-07 a pattern with look-ahead',
      {
        actions: [
          {
            id: 'a',
            field: 'titel',
            select: 'searchRegex',
            value: [
              { type: '_regex', value: '(?=x)' },
              { type: '_string', value: '' },
            ],
          },
        ],
      },
      'Invalid Regex',
    ],
    [
      'RUL-07 a calculation with a comma',
      {
        actions: [
          {
            id: 'a',
            field: 'preis',
            select: 'calculate',
            actionOperator: 'multiply',
            value: [
              { type: '_field', value: 'preis' },
              { type: '_number', value: '1,5' },
            ],
          },
        ],
      },
      'Nur dezimal werte mit Punkt und 2 Nachkommastellen sind erlaubt',
    ],
  ])('%s is refused with a message at its field, and nothing is saved', async (_name, change, message) => {
    const before = await kontor.ask(api.rules, { params: { masterid: exportid } });
    const answer = await kontor.raw(pathOf(api.saveRules, { masterid: exportid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ ...title, ...change }]),
    });
    expect(answer.status).toBe(422);
    const { error } = (await answer.json()) as { error: { fields: { field: string; message: string }[] } };
    expect(error.fields.some((field) => field.field.startsWith('0.') && field.message.includes(message))).toBe(true);
    expect(await kontor.ask(api.rules, { params: { masterid: exportid } })).toEqual(before);
  });
});
