import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CategoryRow, filterDefinition, type RowFilter } from '#shared/assignments/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { hasInputData, inputBytes, onlyWithInputData } from '../../stages/input-data.ts';
import { importFile, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const own = (name: string) => readFileSync(new URL(`../../data/fashion/${name}`, import.meta.url));

type Tree = readonly [name: string, entries: number];
/** A catalogue and trees with their numbers of entries: our own, and real ones if this machine has them. */
const sources = [
  {
    of: 'a small catalogue of ours with our trees',
    absent: false,
    items: () => own('items.csv'),
    trees: [
      ['google-like.txt', 17],
      ['shopify-like.txt', 14],
    ] satisfies Tree[],
    tree: own,
  },
  {
    of: `a real catalogue with real trees (${onlyWithInputData})`,
    absent: !hasInputData,
    items: () => inputBytes('catalogues/fashion_styles_44446.csv.gz'),
    trees: [
      ['google_taxonomy-with-ids.en-US.txt.gz', 5595],
      ['shopify_categories.de.txt.gz', 10_365],
    ] satisfies Tree[],
    tree: (name: string) => inputBytes(`taxonomies/${name}`),
  },
];

type Item = Record<string, string>;
type Condition = { input: { type: '_field'; value: string; caption: string }; filter: RowFilter; value: string };

const condition = (field: string, filter: RowFilter, value: string): Condition => ({
  input: { type: '_field', value: field, caption: field },
  filter,
  value,
});

/** The plain definition, row by row and item by item, without any product code. */
function winnerOf(item: Item, rows: readonly CategoryRow[]): CategoryRow | undefined {
  return rows.find(
    ({ active, field }) =>
      active &&
      field.every(({ input, filter, value }) => {
        const { kind, negated } = filterDefinition(filter);
        const [text, wanted] = [(item[input.value] ?? '').toLowerCase(), value.toLowerCase()];
        const holds = {
          contains: text.includes(wanted),
          equals: text === wanted,
          startsWith: text.startsWith(wanted),
          endsWith: text.endsWith(wanted),
        };
        return (text !== '' && wanted !== '' && holds[kind]) !== negated;
      }),
  );
}

for (const source of sources)
  describe.skipIf(source.absent)(`categories of ${source.of}`, () => {
    let kontor: TestKontor;
    let items: Item[];
    let id: string;
    beforeAll(async () => {
      kontor = await testKontor();
      const csv = source.items();
      items = parse(csv, { columns: true, bom: true, relax_column_count: true, skip_empty_lines: true });
      const { masterid } = await kontor.ask(api.createMaster, { body: { name: 'Mode' } });
      const run = await importFile(kontor, masterid, { name: 'mode.csv', bytes: new Uint8Array(csv) }, { key: 'id' });
      expect([run.state, run.accepted]).toEqual(['done', items.length]);
      id = (
        await kontor.ask(api.createExport, {
          params: { masterid },
          body: { name: 'Google', format: { kind: 'jsonl' } },
        })
      ).id;
    }, 120_000);
    afterAll(() => kontor.close());

    it.each<Tree>(source.trees)(
      'CAT-01 CAT-12 with the tree %s counts and file equal an independent computation',
      async (tree, size) => {
        const form = new FormData();
        form.set('file', new Blob([new Uint8Array(source.tree(tree))]), tree.replace('.gz', ''));
        const uploaded = await kontor.raw(pathOf(api.uploadTargets, { id, table: 'categories' }), {
          method: 'POST',
          body: form,
        });
        expect(await uploaded.json()).toMatchObject({ entries: size });
        const fetched = await kontor.ask(api.missingRows, { params: { id }, body: { field: 'articleType' } });
        expect(fetched.reduce((sum, row) => sum + row.items, 0)).toBe(
          items.filter((item) => item['articleType']).length,
        );
        const suggested = await kontor.ask(api.suggestTargets, {
          params: { id },
          body: { table: 'categories', values: fetched.map(({ value }) => ({ value })) },
        });
        const best = new Map(suggested.map(({ value, suggestions }) => [value, suggestions[0]]));
        const rows = [
          [condition('masterCategory', 'is_equal', 'Footwear'), condition('articleType', 'not_contains', 'sandal')],
          [condition('articleType', 'contains', 'SHIRT')],
          [condition('subCategory', 'begins_with', 'bag')],
          [condition('articleType', 'ends_with', 'set'), condition('gender', 'is_not_equal', 'men')],
        ].map((field, index) => CategoryRow.parse({ id: `k${index}`, field, target: `fest-${index}` }));
        const equal = fetched.map(({ value }) =>
          CategoryRow.parse({
            id: `e ${value}`,
            field: [condition('articleType', 'is_equal', value)],
            target: best.get(value)?.id ?? '',
            active: value !== 'Belts',
          }),
        );
        const all = [...rows, ...equal];
        await kontor.ask(api.saveCategories, { params: { id }, body: all });

        const expected = Object.fromEntries(all.map((row) => [row.id, 0]));
        let assigned = 0;
        for (const item of items) {
          const winner = winnerOf(item, all);
          if (winner !== undefined) expected[winner.id] = (expected[winner.id] ?? 0) + 1;
          if (winner !== undefined && winner.target !== '') assigned += 1;
        }
        const counts = await kontor.ask(api.countCategories, { body: { id } });
        expect(counts.attributesitems).toEqual(expected);
        expect([counts.records, counts.count_is_cat.i, counts.count_not_cat.i]).toEqual([
          items.length,
          assigned,
          items.length - assigned,
        ]);

        await kontor.ask(api.saveConstruction, {
          params: { projectId: id },
          body: [
            { id: '1', exportfield: 'id', mp_state: '', field: [{ type: '_intern', value: '_id', caption: '' }] },
            {
              id: '2',
              exportfield: 'category',
              mp_state: '',
              field: [{ type: '_intern', value: 'category', caption: '' }],
            },
          ],
        });
        const { text } = await runExport(kontor, id);
        const file = text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as { id: string; category: string | null });
        const wanted = items.map((item) => ({ id: item['id'], category: winnerOf(item, all)?.target || null }));
        expect(file).toEqual(wanted);
      },
    );
  });
