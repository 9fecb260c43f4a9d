import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const row = (id: string, exportfield: string, more: Partial<ConstructionRow> = {}): ConstructionRow => ({
  ...ConstructionRow.parse({ id, exportfield, valuetype: 'field' }),
  ...more,
});
const from = (value: string) => [{ type: '_field' as const, value, caption: value }];

describe('pictures in a construction', () => {
  let kontor: TestKontor;
  beforeAll(async () => {
    kontor = await testKontor();
  });
  afterAll(() => kontor.close());

  const post = async (
    call: typeof api.saveConstruction | typeof api.saveConstructionTabs,
    id: string,
    body: unknown,
  ) => {
    const answer = await kontor.raw(pathOf(call, { projectId: id }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as { error?: { code: string; message: string } } };
  };

  it('CON-03 of several picture addresses in a cell the file has the first or all, with the separator of the channel', async () => {
    const shop = [
      'sku;bilder',
      'A-1;"https://x.de/1.jpg, https://x.de/2.jpg|https://x.de/3.jpg"',
      'A-2;https://x.de/4.jpg',
      '',
    ];
    const pictures = await masterWith(kontor, shop.join('\n'), { key: 'sku' });
    const made = async (channel: string, target: string) => {
      const body = { name: channel, channel, format: 'csv', filename: 'bilder.csv' } as const;
      const { id } = await kontor.ask(api.createExport, { params: { masterid: pictures }, body });
      await post(api.saveConstruction, id, [row('1', target, { field: from('bilder') })]);
      return (await runExport(kontor, id)).text.split(/\r?\n/).map((line) => line.replaceAll('"', ''));
    };
    expect(await made('google', 'image_link')).toEqual(['image_link', 'https://x.de/1.jpg', 'https://x.de/4.jpg', '']);
    expect(await made('idealo', 'imageUrls')).toEqual([
      'imageUrls',
      'https://x.de/1.jpg;https://x.de/2.jpg;https://x.de/3.jpg',
      'https://x.de/4.jpg',
      '',
    ]);
  });

  it('CON-03 several pictures in a cell fill repeated elements and columns, and the check reports which are left out', async () => {
    const cell = 'https://x.de/1.jpg|https://x.de/2.jpg';
    const pictures = await masterWith(kontor, `sku;bilder\nA-1;${cell}\nA-2;https://x.de/4.jpg\n`, { key: 'sku' });
    const made = async (
      channel: string,
      format: 'xml' | 'csv',
      targets: string[],
      of: object = { field: from('bilder') },
    ) => {
      const body = { name: channel, channel, format, filename: `bilder.${format}` } as const;
      const { id } = await kontor.ask(api.createExport, { params: { masterid: pictures }, body });
      const rows = targets.map((target, index) => row(String(index), target, of));
      await post(api.saveConstruction, id, rows);
      const { problems } = await kontor.ask(api.diagnoseNow, { params: { id }, body: {} });
      const told = problems.filter(({ key }) => key.startsWith('left_out')).map(({ field, items }) => [field, items]);
      return { text: (await runExport(kontor, id)).text, told };
    };
    const google = await made('google', 'xml', ['image_link', 'additional_image_link']);
    expect(google.text).toContain('<g:image_link>https://x.de/1.jpg</g:image_link>');
    for (const at of [1, 2, 4])
      expect(google.text).toContain(`<g:additional_image_link>https://x.de/${at}.jpg</g:additional_image_link>`);
    expect(google.told).toEqual([['image_link', 1]]);
    const [head, first] = (await made('kaufland_product', 'csv', ['picture'])).text.replaceAll('"', '').split(/\r?\n/);
    expect(head?.split(';')).toEqual(Array.from({ length: 10 }, () => 'picture'));
    expect(first).toBe(`https://x.de/1.jpg;https://x.de/2.jpg${';'.repeat(8)}`);
    // As the template of a new export creates them: lists whose source is such a cell.
    const list = {
      valuetype: 'array',
      field: [...from('sku'), ...from('bilder')].map((value) => ({ name: '', value })),
    };
    const [, listed] = (await made('kaufland_product', 'csv', ['picture'], list)).text
      .replaceAll('"', '')
      .split(/\r?\n/);
    expect(listed).toBe(`A-1;https://x.de/1.jpg;https://x.de/2.jpg${';'.repeat(7)}`);
    const elements = (await made('google', 'xml', ['additional_image_link'], list)).text;
    expect(elements.match(/<g:additional_image_link>/g)).toHaveLength(5);
  });
});
