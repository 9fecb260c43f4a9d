import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CategoryRow, filterDefinition, type RowFilter } from '#shared/assignments/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { hasInputData, importFile, inputData, runExport, testKontor, type TestKontor } from '../stages/kontor.ts';

const unpacked = (path: string) => gunzipSync(readFileSync(new URL(path, inputData)));
type Item = Record<string, string>;
type Condition = { input: { type: '_field'; value: string; caption: string }; filter: RowFilter; value: string };

const condition = (field: string, filter: RowFilter, value: string): Condition => ({
  input: { type: '_field', value: field, caption: field },
  filter,
  value,
});

/** The plain definition, row by row and item by item, with nothing of the product in it. */
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

describe.skipIf(!hasInputData)(
  'categories of a real catalogue with real trees (skipped without the input data)',
  () => {
    let kontor: TestKontor;
    let items: Item[];
    let id: string;
    beforeAll(async () => {
      kontor = await testKontor();
      const csv = unpacked('catalogues/fashion_styles_44446.csv.gz');
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

    it.each([
      ['google_taxonomy-with-ids.en-US.txt.gz', 5595],
      ['shopify_categories.de.txt.gz', 10_365],
    ])('CAT-01 CAT-12 with the tree %s counts and file equal an independent computation', async (tree, size) => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(unpacked(`taxonomies/${tree}`))]), tree.replace('.gz', ''));
      const uploaded = await kontor.raw(pathOf(api.uploadTargets, { id, table: 'categories' }), {
        method: 'POST',
        body: form,
      });
      expect(await uploaded.json()).toMatchObject({ entries: size });
      const fetched = await kontor.ask(api.missingRows, { params: { id }, body: { field: 'articleType' } });
      expect(fetched.reduce((sum, row) => sum + row.items, 0)).toBe(items.filter((item) => item['articleType']).length);
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
    });
  },
);
