import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

const items = '1;Topf;9,90;4006381333931\n2;Kanne;8,90;4012345678901\n3;Besen;7,90;4004764930258\n';

async function codes(text: string, options: FixtureOptions = {}) {
  const { result } = await importContent(text, options);
  if (!result.ok) throw new Error(result.message);
  expect(result).toMatchObject({ rowsIn: result.accepted + result.rejected });
  return { codes: result.warnings.map(({ code }) => code), accepted: result.accepted };
}

describe('a header with broken quotation marks', () => {
  test.each(['"sku;name;preis;ean\n', '\n"sku";"na"me;preis;ean\n', 'sku;"name;preis;ean\n'])(
    'causes a warning, since the fields then have no proper names: %j',
    async (head) => {
      for (const way of ['fast', 'exact'] as const) {
        const found = await codes(head + items, { way });
        expect(found.codes).toContain('header_broken');
        expect(found.accepted).toBe(3);
      }
    },
  );

  test('is not reported for other files', async () => {
    expect((await codes(`\n\nsku;"na""me";preis;ean\n${items}`)).codes).toEqual([]);
    expect((await codes(`Liste "2026"\nsku;name;preis;ean\n${items}`)).codes).not.toContain('header_broken');
    const without = await codes(`"x;y;1;2\n${items}`, { options: { header: false, key: null } });
    expect(without.codes).not.toContain('header_broken');
  });
});
