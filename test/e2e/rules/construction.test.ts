import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { MappingRow } from '#shared/assignments/schema.ts';
import { type Call, pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { postJson } from '../../stages/http/post-json.ts';

const csv = [
  'sku;titel;marke;preis;bild;link;ean;geschl',
  'A-1;Hammer;Bosch;12,50;https://x.de/1.jpg;https://x.de/a-1;4006381333931;H',
  'A-2;Zange;Bosch;7,00;https://x.de/2.jpg;https://x.de/a-2;4012345678901;D',
  'A-3;Säge;Wolf;3,90;https://x.de/3.jpg;https://x.de/a-3;;D',
  '',
].join('\n');

const row = (id: string, exportfield: string, more: Partial<ConstructionRow> = {}): ConstructionRow => ({
  ...ConstructionRow.parse({ id, exportfield, valuetype: 'field' }),
  ...more,
});
const from = (value: string) => [{ type: '_field' as const, value, caption: value }];

let kontor: TestKontor;
let masterid: string;
beforeAll(async () => {
  kontor = await testKontor();
  masterid = await masterWith(kontor, csv, { key: 'sku' });
});
afterAll(() => kontor.close());

const post = async (call: Call, id: string, body: unknown) => {
  const answer = await postJson(kontor, pathOf(call, { projectId: id }), body);
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string; message: string } } };
};

describe('construction', () => {
  const exportOf = async (channel = 'frei', name = 'Kanal') =>
    (await kontor.ask(api.createExport, { params: { masterid }, body: { name, channel } })).id;
  const stored = (id: string) => kontor.ask(api.construction, { params: { id } });

  it('CON-06 the tabbed save refuses required rows without a value and an empty list, and stores nothing', async () => {
    const id = await exportOf();
    const rows = [row('1', 'id', { field: from('sku') }), row('2', 'title', { mp_state: 'Required' })];
    const refused = await post(api.saveConstructionTabs, id, rows);
    expect(refused.status).toBe(422);
    expect(refused.body.error?.code).toBe('construction_incomplete');
    expect(refused.body.error?.message).toContain('nicht alle Felder ausgefüllt ! ');
    expect(refused.body.error?.message).toContain('„title“');
    const blank = [{ ...rows[1], field: [{ type: '_string', value: '  \t ' }] }];
    expect((await post(api.saveConstructionTabs, id, blank)).status).toBe(422);
    expect((await post(api.saveConstructionTabs, id, [])).status).toBe(422);
    expect(await stored(id)).toMatchObject({ rows: [], revision: 0 });
    // CON-07: the labelled variant accepts the same rows.
    expect((await post(api.saveConstruction, id, rows)).status).toBe(200);
    expect((await stored(id)).incomplete).toEqual(['2']);
  });

  it('CON-06 the tabbed call saves a complete list with all properties of its rows', async () => {
    const id = await exportOf();
    const rows = [
      row('1', 'id', { field: from('sku'), mp_state: 'Required', priority: 'Required', del_allowed: false }),
      row('2', 'bilder', {
        valuetype: 'array',
        field: [{ name: 'vorne', value: { type: '_field', value: 'bild', caption: 'bild' } }],
        extras: { separator: '|', repeat: false },
        description: 'eins\nzwei',
      }),
      row('3', 'daten', {
        valuetype: 'array_key_value',
        field: [
          { key: { type: '_string', value: 'Marke' }, value: { type: '_field', value: 'marke', caption: 'marke' } },
        ],
      }),
      row('4', 'text', {
        valuetype: 'combine',
        field: [
          { type: '_string', value: 'Neu: ', caption: '' },
          { type: '_field', value: 'titel', caption: 'titel' },
        ],
      }),
    ];
    const saved = await kontor.ask(api.saveConstructionTabs, { params: { projectId: id }, body: rows });
    expect(saved).toMatchObject({ ok: true, message: 'Daten wurden gespeichert', incomplete: [] });
    expect((await stored(id)).rows).toEqual(rows);
  });

  it('CON-07 the labelled save keeps the stored properties that a row omits', async () => {
    const id = await exportOf();
    const full = row('1', 'id', {
      field: from('sku'),
      mp_state: 'Required',
      priority: 'Required',
      fieldCaption: 'Artikelnummer',
      description: 'Eindeutig.',
      del_allowed: false,
      extras: { separator: ';' },
    });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [full, row('2', 'weg')] });
    const sparse = [{ id: 1, field: from('ean'), exportfield: 'nummer', mp_state: 'Required' }];
    expect((await post(api.saveConstruction, id, sparse)).status).toBe(200);
    expect((await stored(id)).rows).toEqual([{ ...full, field: from('ean'), exportfield: 'nummer' }]);
  });

  it('CON-07 a row with several values and no kind keeps them all, and empty properties count as omitted', async () => {
    const id = await exportOf();
    const said = { extras: { separator: ';' }, description: 'Eindeutig.', fieldCaption: 'Name' };
    const one = row('1', 'name', { field: from('sku'), valuetype: 'field', priority: 'Required', ...said });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [one] });
    const empty = { extras: [], description: null, fieldCaption: null };
    const two = { id: '1', field: [...from('sku'), ...from('ean')], exportfield: 'name', mp_state: '', ...empty };
    expect((await post(api.saveConstruction, id, [two])).status).toBe(200);
    const { rows } = await stored(id);
    // With the state, the tabbed variant's priority is removed, too.
    expect(rows).toMatchObject([{ field: two.field, mp_state: '', priority: '', ...said }]);
    expect(rows[0]?.valuetype).toBeUndefined();
  });

  it('CON-06 a stale tabbed save is refused with the name of who saved in between', async () => {
    const id = await exportOf();
    const body = [row('1', 'id', { field: from('sku') })];
    const { revision } = await kontor.ask(api.saveConstructionTabs, { params: { projectId: id }, body });
    await kontor.ask(api.saveConstructionTabs, { params: { projectId: id }, body, ifMatch: revision });
    const { user } = await kontor.ask(api.session);
    const again = kontor.ask(api.saveConstructionTabs, { params: { projectId: id }, body, ifMatch: revision });
    await expect(again).rejects.toThrow(new RegExp(`409: .*zwischenzeitlich von ${user.name} geändert`));
  });

  it('an export of a channel starts with the rows and the format of its template', async () => {
    const channels = await kontor.ask(api.channels);
    const google = channels.find(({ channel }) => channel === 'google');
    expect(google).toMatchObject({ filename: 'google.xml', format: { kind: 'xml', style: 'google' } });
    expect(google?.required).toBeGreaterThan(5);
    expect(channels.some(({ channel }) => channel === 'frei')).toBe(true);
    const id = await exportOf('google');
    expect((await kontor.ask(api.export, { params: { id } })).settings.format).toEqual(google?.format);
    const { rows, template, incomplete } = await stored(id);
    expect(template?.groups.length).toBeGreaterThan(3);
    expect(new Set(rows.map(({ mp_state: state }) => state))).toEqual(new Set(['Required', 'Recommended']));
    const required = rows.filter(({ mp_state: state }) => state === 'Required');
    expect(required.every(({ del_allowed: allowed }) => !allowed)).toBe(true);
    expect(incomplete.length).toBeGreaterThan(0);
    const own = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Eigener Name', channel: 'google', format: 'csv', filename: 'eigen.csv' },
    });
    const { settings } = await kontor.ask(api.export, { params: { id: own.id } });
    expect(settings).toMatchObject({ filename: 'eigen.csv', format: { kind: 'csv' } });
  });

  it('CON-01 sources are suggested from the catalogue’s fields and mappings, with coverage and examples', async () => {
    const line = { field: from('geschl'), catname: '' };
    await kontor.ask(api.saveMapping, {
      params: { masterid, mappingid: 'gender1' },
      body: {
        name: 'Geschlecht',
        active: true,
        data: [
          MappingRow.parse({ ...line, id: '1', value: 'H', target: 'male' }),
          MappingRow.parse({ ...line, id: '2', value: 'D', target: 'female' }),
        ],
      },
    });
    const id = await exportOf('google');
    const found = await kontor.ask(api.suggestSources, { params: { id }, body: {} });
    const of = (name: string) => found.find(({ exportfield }) => exportfield === name);
    expect(of('id')).toMatchObject({ part: { type: '_field', value: 'sku' }, coverage: 1 });
    expect(of('title')).toMatchObject({ part: { value: 'titel' }, examples: ['Hammer', 'Zange', 'Säge'] });
    expect(of('price')?.reason).toBe('heißt wie „Preis“; die Werte sind Preise');
    expect(of('image_link')?.part.value).toBe('bild');
    expect(of('gtin')?.coverage).toBeCloseTo(2 / 3, 2);
    expect(of('gender')).toMatchObject({
      part: { type: '_mapping', value: 'Geschlecht' },
      examples: ['male', 'female'],
      reason: expect.stringContaining('der Kanal nimmt die Werte'),
    });
    for (const { confidence, coverage, examples } of found) {
      expect(confidence).toBeGreaterThan(0.4);
      expect(confidence).toBeLessThanOrEqual(1);
      expect(coverage).toBeLessThanOrEqual(1);
      expect(examples.length).toBeLessThanOrEqual(3);
    }
    // Nothing is applied without a review.
    expect((await stored(id)).rows.every(({ field }) => field.length === 0)).toBe(true);
  });

  it('CON-01 suggestions use the unsaved rows of the form and prefer the choices of other exports', async () => {
    const id = await exportOf('frei', 'Neuer Kanal');
    const ask = (rows: ConstructionRow[]) => kontor.ask(api.suggestSources, { params: { id }, body: { rows } });
    expect(await ask([row('1', 'Titel', { field: from('marke') }), row('2', '')])).toEqual([]);
    const before = await ask([row('1', 'Hauptzeile'), row('2', 'Titel')]);
    expect(before.map(({ exportfield }) => exportfield)).toEqual(['Titel']);
    const other = await exportOf('frei', 'Vorbild');
    const body = [row('1', 'Hauptzeile', { field: from('titel') })];
    await kontor.ask(api.saveConstruction, { params: { projectId: other }, body });
    const [learned] = await ask([row('1', 'hauptzeile')]);
    expect(learned).toMatchObject({
      exportfield: 'hauptzeile',
      part: { type: '_field', value: 'titel' },
      reason: 'so im Export „Vorbild“',
    });
  });

  it('suggestions for a catalogue without items are refused in German', async () => {
    const empty = (await kontor.ask(api.createMaster, { body: { name: 'Leer' } })).masterid;
    const { id } = await kontor.ask(api.createExport, { params: { masterid: empty }, body: { name: 'Leer' } });
    const answer = kontor.ask(api.suggestSources, { params: { id }, body: { rows: [row('1', 'titel')] } });
    await expect(answer).rejects.toThrow('Dieser Katalog hat noch keine Artikel.');
  });

  it('CON-05 a run warns of duplicate names, rows without a name and deleted required fields; template repeats are fine', async () => {
    const warned = async (id: string) => (await runExport(kontor, id)).run.warnings;
    const plain = await exportOf();
    const doubled = [
      row('1', 'x', { field: from('sku') }),
      row('2', 'x', { field: from('titel') }),
      row('3', '', { field: from('marke') }),
    ];
    await post(api.saveConstruction, plain, doubled);
    expect(await warned(plain)).toEqual([
      'Mehrere Zeilen heißen „x“: Die Datei hat dann mehrere Spalten dieses Namens.',
      'Eine Zeile hat keinen Namen und wird nicht ausgegeben.',
    ]);
    const google = await exportOf('google');
    const highlights = (await stored(google)).template?.fields.find(({ many }) => many?.repeat === true)?.name ?? '';
    await post(api.saveConstruction, google, [
      row('1', 'id', { field: from('sku') }),
      row('2', highlights, { field: from('titel') }),
      row('3', highlights, { field: from('marke') }),
    ]);
    const [first, ...others] = (await warned(google)).filter((text) => /Zeile|heißen/.test(text));
    expect(first).toMatch(/^Pflichtfelder ohne Zeile: .*title/);
    expect(first).not.toMatch(/: id,/);
    expect(others).toEqual([]);
    await post(api.saveConstruction, google, []);
    expect((await warned(google)).join()).toMatch(/Pflichtfelder ohne Zeile: id, title/);
  });
});

describe('pictures in a construction', () => {
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
