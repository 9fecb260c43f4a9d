import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { query } from '#engine/duckdb/relation.ts';
import { act, always, calculate, rule, when } from '#engine/testing/case.ts';
import { withFolder } from '#feed/import/reader/import-fixture.ts';
import { importInThisProcess } from '#feed/import/reader/import-here.ts';
import { cellText } from '#feed/stages/output/cells.ts';
import { bitsIn } from '#feed/stages/validation/counts.ts';
import { noTables } from '#feed/stages/assignments/tables.ts';
import { DuckDb } from '#platform/duckdb/duckdb.ts';
import { duck, join, name } from '#platform/duckdb/sql.ts';
import { templateRow } from '#shared/channels/template-row.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { validatedItems } from './validated-items.ts';

/** The prices of a catalogue as exported, and those that are reported as unclear. */
async function exported(
  prices: readonly string[],
  { file = 'preise.csv', rules = [], of = 'Preis' }: { file?: string; rules?: Rule[]; of?: string } = {},
) {
  const template = templateOf('google');
  if (!template) throw new Error('no template');
  return withFolder(async (folder) => {
    const source = path.join(folder, file);
    const json = JSON.stringify(prices.map((price, index) => ({ Nr: `A${index}`, Preis: Number(price) })));
    const csv = ['Nr;Preis', ...prices.map((price, index) => `A${index};${price}`)].join('\n');
    writeFileSync(source, file.endsWith('.json') ? json : csv);
    const output = path.join(folder, 'out.parquet');
    const result = await importInThisProcess(
      {
        file: source,
        originalName: file,
        options: {},
        knownFields: [],
        output,
        rejectedOutput: path.join(folder, 'rejected.jsonl'),
        workFolder: path.join(folder, 'work'),
      },
      { onProgress: () => undefined },
    );
    if (!result.ok) throw new Error(result.message);
    const { fields, accepted: items, key } = result;
    const field = template.fields.find((one) => one.name === 'price');
    if (!field) throw new Error('no price');
    const row = { ...templateRow(field, 'r1'), field: [{ type: '_field' as const, value: of, caption: of }] };
    const facts = { company: 'c', masterid: 'm', number: 1, runid: 'r', source, createdAt: new Date(0) };
    const plan = {
      snapshot: { ...facts, items, fields, key },
      path: output,
      masterRules: rules,
      mappings: [],
      exportRules: [],
      tables: noTables,
      construction: [row],
      attributes: [],
      template,
    };
    const duckdb = await DuckDb.open({ folder });
    try {
      const { statements, relation, columns, problems, masks } = validatedItems(plan, template.format);
      const texts = columns.map((column) => duck`${cellText(column, template.format)} AS ${name('price')}`);
      const chosen = join([...texts, ...masks.map(name)], duck`, `);
      const all = query(relation, duck`SELECT ${chosen} FROM ${name(relation.from)} ORDER BY row`);
      const rows = await duckdb.last([...statements, all]);
      return rows.map((one) => {
        const unclear = bitsIn(one).some(({ column, bit }) =>
          problems.some(
            (problem) => problem.kind === 'price_unclear' && problem.column === column && problem.bit === bit,
          ),
        );
        return `${String(one['price'])}${unclear ? ' ?' : ''}`;
      });
    } finally {
      duckdb.close();
    }
  });
}

describe('GEN-09 prices with a point or comma before three digits', () => {
  test('are thousands if other values of the column have another decimal mark', async () => {
    expect(await exported(['1.299', '12,50', '899', '0,99'])).toEqual([
      '1299.00 EUR',
      '12.50 EUR',
      '899.00 EUR',
      '0.99 EUR',
    ]);
    expect(await exported(['1,299', '12.50'])).toEqual(['1299.00 EUR', '12.50 EUR']);
  });

  test('are decimal if other values have the same mark before another number of digits', async () => {
    expect(await exported(['1.299', '12.50', '0.899'])).toEqual(['1.30 EUR', '12.50 EUR', '0.90 EUR']);
  });

  test('are thousands, but reported as unclear, if no price of the column has another form', async () => {
    expect(await exported(['1.299', '899', '12.999'])).toEqual(['1299.00 EUR ?', '899.00 EUR', '12999.00 EUR ?']);
    expect(await exported(['1.299', '2.499'])).toEqual(['1299.00 EUR ?', '2499.00 EUR ?']);
  });

  test('are reported as unclear if nothing in the column decides, or if values contradict each other', async () => {
    expect(await exported(['1.500', '12.990'])).toEqual(['1.50 EUR ?', '12.99 EUR ?']);
    expect(await exported(['1.299', '12,50', '13.50'])).toEqual(['1.30 EUR ?', '12.50 EUR', '13.50 EUR']);
    expect(await exported(['1.299', '899'], { file: 'preise.json' })).toEqual(['1.30 EUR ?', '899.00 EUR']);
  });

  test('are read the same way by rules', async () => {
    const twice = rule([always()], [calculate('Preis', 'multiply', '2')]);
    expect(await exported(['1.299', '899'], { rules: [twice] })).toEqual(['2598.00 EUR', '1798.00 EUR']);
    expect(await exported(['1.299', '12,50'], { rules: [twice] })).toEqual(['2598.00 EUR', '25.00 EUR']);
  });

  test('RUL-15 keep their meaning when a rule copies them to a new field, and in calculations on that field', async () => {
    const copied = rule([always()], [act('VK', 'copy', { field: 'Preis' })]);
    const reduced = rule([when('VK', 'is_greater_than', '1000')], [calculate('Aktion', 'multiply', '0.5', 'VK')]);
    const ofField = (of: string, rules: Rule[]) => exported(['1.299', '12,50'], { rules, of });
    expect(await ofField('VK', [copied])).toEqual(['1299.00 EUR', '12.50 EUR']);
    expect(await ofField('Aktion', [copied, reduced])).toEqual(['649.50 EUR', 'null']);
    // The same holds in a list of rules that is too long for one statement.
    const ranks = Array.from({ length: 60 }, (_, at) =>
      rule([when('VK', 'is_in_highest', '1')], [act(`Rang ${at}`, 'set', 'x')]),
    );
    expect(await ofField('Aktion', [copied, ...ranks, reduced])).toEqual(['649.50 EUR', 'null']);
    // A number written in a rule is read as it is.
    const typed = rule([always()], [act('VK', 'set', '2.500')]);
    expect(await ofField('VK', [typed])).toEqual(['2.50 EUR ?', '2.50 EUR ?']);
  });
});
