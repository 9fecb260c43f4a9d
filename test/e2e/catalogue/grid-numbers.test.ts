import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { ItemFilter } from '#shared/items/schema.ts';
import { Rule } from '#shared/rules/schema.ts';
import { rule } from '../../stages/feed/rule-page.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

/** Next to '12,50', '1.299' is more than a thousand (docs/import.md). */
const csv = 'sku;preis\nA-1;1.299\nA-2;12,50\nA-3;899\nA-4;2.450\nA-5;\n';

describe('numbers whose point separates thousands in their column', () => {
  let kontor: TestKontor;
  let masterid: string;
  let field: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv, { key: 'sku' });
    const { fields } = await kontor.ask(api.items, { query: { masterid, limit: 1 } });
    field = fields.find(({ name }) => name === 'preis')?.id ?? '';
  });
  afterAll(() => kontor.close());

  const ids = async (query: Record<string, string>) =>
    (await kontor.ask(api.items, { query: { masterid, limit: 50, ...query } })).data.map((row) => row['_id']);
  const found = (filter: Omit<ItemFilter, 'field'>) => ids({ filter: JSON.stringify([{ field, ...filter }]) });

  it('ITE-07 the grid sorts and filters them as rules read them', async () => {
    expect(await ids({ sort: field })).toEqual(['A-2', 'A-3', 'A-1', 'A-4', 'A-5']);
    expect(await ids({ sort: field, direction: 'desc' })).toEqual(['A-4', 'A-1', 'A-3', 'A-2', 'A-5']);
    expect(await found({ mode: 'is_greater', value: '1000' })).toEqual(['A-1', 'A-4']);
    expect(await found({ mode: 'is_less', value: '899' })).toEqual(['A-2']);
    expect(await found({ mode: 'between', value: '800', to: '1299' })).toEqual(['A-1', 'A-3']);
    const dear = rule('Teuer', { query: { field: 'preis', select: 'is_greater_than', value: '1000' } });
    const { count } = await kontor.ask(api.ruleStatistics, {
      params: { masterid },
      body: { data: dear.id, rules: [dear] },
    });
    expect(count.diff).toBe(2);
  });

  it("the bars of a facet count them by their value, and a filter finds each bar's items", async () => {
    const { histogram } = await kontor.ask(api.itemFacet, { query: { masterid, field } });
    const bars = histogram ?? [];
    expect([bars[0]?.from, bars.at(-1)?.to]).toEqual(['12.5', '2450']);
    for (const { from, to, items } of bars)
      expect(await found({ mode: 'between', value: from, to })).toHaveLength(items);
  });

  it('a rule that tests such a number in two ways is not reported as a contradiction', async () => {
    const both = rule('Genau', { query: { field: 'preis', select: 'is_equal', value: '1.299' } });
    const more = { ...both.querys[0], id: 'q2', select: 'is_greater_than' as const, value: '1000' };
    const rules = [Rule.parse({ ...both, querys: [...both.querys, more] })];
    const { count } = await kontor.ask(api.ruleStatistics, {
      params: { masterid },
      body: { data: both.id, rules },
    });
    expect(count.diff).toBe(1);
    const { findings } = await kontor.ask(api.ruleFindings, { params: { masterid }, body: { rules } });
    expect(findings).toEqual([]);
  });

  it('facets of the items that a rule meets read them the same way, also after a copy by a rule', async () => {
    const copied = rule('Kopie', {
      action: { field: 'vk', select: 'copy', value: [{ type: '_string', value: 'preis' }] },
    });
    const all = rule('Alle');
    const facet = (asked: string, filters: ItemFilter[]) =>
      kontor.ask(api.ruleFacet, {
        params: { masterid },
        body: { data: all.id, rules: [copied, all], field: asked, filters },
      });
    const dear: ItemFilter = { field: 'preis', mode: 'is_greater', value: '1000' };
    expect((await facet('sku', [dear])).items).toBe(2);
    expect((await facet('sku', [{ ...dear, field: 'vk' }])).items).toBe(2);
    expect((await facet('preis', [])).histogram?.at(-1)?.to).toBe('2450');
  });
});
