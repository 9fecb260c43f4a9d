import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { CategoryRow } from '#shared/assignments/schema.ts';
import { pathOf } from '#shared/http/call.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const csv = 'sku;titel;art;stoff\nA-1;Hemd;Hemden;Leinen\nA-2;Hose;Hosen;Wolle\nA-3;Bluse;Hemden;\n';
const tree = JSON.stringify([
  { id: '10', name: 'Hemden', type: 'SHIRT', attributes: [{ name: 'Ärmel', required: true }] },
  { id: '20', name: 'Hosen', type: 'PANTS' },
]);

const text = (value: string) => ({ type: '_string' as const, value, caption: '' });
const field = (value: string) => ({ type: '_field' as const, value, caption: value });
const category = (id: string, value: string, target: string) =>
  CategoryRow.parse({ id, field: [{ input: field('art'), filter: 'is_equal', value }], target, catname: target });

describe('attributes', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv, { key: 'sku' });
  });
  afterAll(() => kontor.close());

  const prepared = async () => {
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Kanal', format: { kind: 'jsonl' } },
    });
    const form = new FormData();
    form.set('file', new Blob([tree]), 'baum.json');
    await kontor.raw(pathOf(api.uploadTargets, { id, table: 'categories' }), { method: 'POST', body: form });
    await kontor.ask(api.saveCategories, {
      params: { id },
      body: [category('1', 'Hemden', '10'), category('2', 'Hosen', '20')],
    });
    const rows = [
      ConstructionRow.parse({ id: 'r1', field: [field('titel')], exportfield: 'name', valuetype: 'field' }),
      ConstructionRow.parse({ id: 'r2', field: [], exportfield: 'material', valuetype: 'field' }),
    ];
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    return id;
  };
  const lines = async (id: string) =>
    (await runExport(kontor, id)).text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string | null>);
  const list = (id: string, more: object = {}) =>
    kontor.ask(api.attributes, { body: { id, typ: '', cat: '', ...more } });
  const set = (id: string, target: string, value: object[] | string, more: object = {}) =>
    kontor.ask(api.setAttribute, { body: { id, target, value, type: '', ...more } });

  it('ATT-05 ATT-01 the list has the items of the category, fields of the construction, and the attributes of its tree to edit', async () => {
    const id = await prepared();
    const all = await list(id);
    expect(all.listlength).toBe(3);
    expect(all.error).toBe('');
    expect(all.fieldlist.map(({ exportfield, editable }) => [exportfield, editable])).toEqual([
      ['name', 'false'],
      ['material', 'true'],
    ]);
    expect(all.data[0]).toEqual({
      _id: { value: 'A-1', editable: 'false' },
      name: { value: 'Hemd', editable: 'false' },
      material: { value: '', editable: 'true' },
    });
    const shirts = await list(id, { cat: '10', typ: 'SHIRT' });
    expect(shirts.listlength).toBe(2);
    expect(shirts.data.map((row) => row['_id']?.value)).toEqual(['A-1', 'A-3']);
    expect(shirts.fieldlist.find(({ exportfield }) => exportfield === 'Ärmel')).toMatchObject({
      title: 'Ärmel',
      mp_state: 'Required',
      editable: 'true',
      field: [],
      is_variant_attribute: true,
    });
    expect((await list(id, { cat: '10', pageLimit: 1, page: 1 })).data.map((row) => row['_id']?.value)).toEqual([
      'A-3',
    ]);
    expect(await list(id, { cat: '99' })).toMatchObject({ listlength: 0, data: [], error: /gibt es in der Liste/ });
  });

  it('ATT-05 a value set for a category is exported for its items, joined from its parts, after the construction', async () => {
    const id = await prepared();
    const answer = await set(id, 'Ärmel', [text('lang, '), field('stoff')], {
      selector: '10',
      type: 'SHIRT',
      variant: true,
    });
    expect(answer.listlength).toBe(2);
    expect(answer.data.map((row) => row['Ärmel']?.value)).toEqual(['lang, Leinen', 'lang, ']);
    await set(id, 'material', 'Baumwolle');
    await set(id, 'material', 'Leinenmischung', { selector: '10' });
    expect(await lines(id)).toEqual([
      { name: 'Hemd', material: 'Leinenmischung', Ärmel: 'lang, Leinen' },
      { name: 'Hose', material: 'Baumwolle', Ärmel: null },
      { name: 'Bluse', material: 'Leinenmischung', Ärmel: 'lang, ' },
    ]);
    const { groups, items } = await kontor.ask(api.attributeGroups, { params: { id } });
    expect(items).toBe(3);
    expect(groups).toEqual([
      { cat: '10', typ: 'SHIRT', name: 'Hemden', items: 2, set: 1 },
      { cat: '20', typ: 'PANTS', name: 'Hosen', items: 1, set: 0 },
    ]);
    const shown = await list(id, { cat: '10', typ: 'SHIRT' });
    expect(shown.fieldlist.find(({ exportfield }) => exportfield === 'Ärmel')).toMatchObject({
      field: [text('lang, '), field('stoff')],
      variants: true,
      inherited: '',
    });
    const trousers = await list(id, { cat: '20', typ: 'PANTS' });
    expect(trousers.fieldlist.find(({ exportfield }) => exportfield === 'material')?.inherited).toBe('„Baumwolle“');
  });

  it('ATT-05 each value of a list is validated by itself, not the joined text', async () => {
    const body = { name: 'Google', channel: 'google', format: { kind: 'csv' } } as const;
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    const shown = async (target: string, values: string[], more: object = {}) => {
      const entries = values.map((value) => ({ name: '', value: text(value) }));
      const rows = [
        ConstructionRow.parse({ id: 'r1', field: entries, exportfield: target, valuetype: 'array', ...more }),
      ];
      await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
      return (await list(id)).data[0]?.[target]?.value;
    };
    expect(await shown('size_type', ['regular', 'petite'])).toBe('regular,petite');
    expect(await shown('product_highlight', ['x'.repeat(100), 'y'.repeat(100)])).toBe(
      `${'x'.repeat(100)},${'y'.repeat(100)}`,
    );
    expect(await shown('size_type', ['regular', 'riesig'])).toEqual(['„riesig“ ist kein Wert, den der Kanal kennt.']);
    const joined = { field: [text('regular,riesig')], valuetype: 'input', extras: { repeat: false } };
    expect(await shown('size_type', [], joined)).toEqual(['„regular,riesig“ ist kein Wert, den der Kanal kennt.']);
  });

  it('ATT-05 an attribute of a list field is exported, also when the list has several columns or names', async () => {
    const body = { name: 'Kaufland', channel: 'kaufland_product', format: { kind: 'csv' } } as const;
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body });
    const row = (exportfield: string, more: object) => ConstructionRow.parse({ id: exportfield, exportfield, ...more });
    const rows = [
      row('id_offer', { field: [field('sku')] }),
      row('colour', { valuetype: 'array' }),
      row('merkmale', { valuetype: 'array_key_value' }),
    ];
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await set(id, 'colour', 'Schwarz');
    await set(id, 'merkmale', 'waschbar');
    expect((await runExport(kontor, id)).text.split('\r\n')).toEqual([
      'id_offer;colour;merkmale',
      'A-1;Schwarz;waschbar',
      'A-2;Schwarz;waschbar',
      'A-3;Schwarz;waschbar',
      '',
    ]);
  });

  it('ATT-05 the list can also be requested with a form body', async () => {
    const id = await prepared();
    const answer = await kontor.raw(pathOf(api.attributes, {}), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ id, pageLimit: '20', page: '0', typ: '', cat: '' }).toString(),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ listlength: 3, error: '' });
  });

  it('ATT-05 a blank value removes the attribute, and the history tells what was set and removed', async () => {
    const id = await prepared();
    await set(id, 'material', 'Baum\r\nwolle', { selector: '20' });
    await set(id, 'material', [], { selector: '20' });
    expect((await lines(id)).every(({ material }) => material === null)).toBe(true);
    const saved = await kontor.ask(api.revisions, { params: { subject: 'attributes', scope: `export:${id}` } });
    expect(saved.map(({ changes }) => changes)).toEqual([
      ['Attribut „material“ für Kategorie „20“: entfernt (vorher „Baum wolle“).'],
      ['Attribut „material“ für Kategorie „20“: „Baum wolle“ gesetzt.'],
    ]);
  });

  it('ATT-05 a value can also be set with a form body', async () => {
    const id = await prepared();
    const answer = await kontor.raw(pathOf(api.setAttribute, {}), {
      method: 'POST',
      body: new URLSearchParams({ id, target: 'material', selector: 'all', value: 'Leinen', type: '' }),
    });
    expect([answer.status, await answer.json()]).toMatchObject([200, { listlength: 3 }]);
    expect((await lines(id)).map(({ material }) => material)).toEqual(['Leinen', 'Leinen', 'Leinen']);
  });

  it('ATT-01 an attribute for a field that the construction fills is refused with 422, and nothing is saved', async () => {
    const id = await prepared();
    const answer = await kontor.raw(pathOf(api.setAttribute, {}), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, target: 'name', selector: 'all', value: 'x' }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('wird im Feldaufbau gefüllt');
    expect((await list(id)).fieldlist.map(({ exportfield }) => exportfield)).toEqual(['name', 'material']);
  });

  it('ATT-01 an export without construction still sends the whole catalogue when an attribute is set, plus that field', async () => {
    const { id } = await kontor.ask(api.createExport, {
      params: { masterid },
      body: { name: 'Unverändert', channel: 'google', format: { kind: 'jsonl' } },
    });
    const before = await lines(id);
    expect(before).toHaveLength(3);
    await set(id, 'color', 'Rot');
    expect(await lines(id)).toEqual(before.map((line) => ({ ...line, color: 'Rot' })));
    expect((await kontor.ask(api.attributeGroups, { params: { id } })).passesThrough).toBe(true);
    const { fieldlist } = await list(id);
    expect(fieldlist.find(({ exportfield }) => exportfield === 'titel')?.editable).toBe('false');
    const refused = await kontor.raw(pathOf(api.setAttribute, {}), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, target: 'titel', selector: 'all', value: 'x' }),
    });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain('kommt unverändert aus dem Katalog');
  });

  it('an attribute is explained like every value of the export', async () => {
    const id = await prepared();
    await set(id, 'material', [text('aus '), field('stoff')], { selector: '10' });
    await runExport(kontor, id);
    const explained = await kontor.ask(api.explain, { params: { masterid, itemid: 'A-1' }, query: { export: id } });
    const stage = explained.stages.find(({ kind }) => kind === 'construction');
    const rows = stage?.kind === 'construction' ? stage.rows : [];
    expect(rows.find(({ name }) => name === 'material')).toMatchObject({
      value: 'aus Leinen',
      written: 'aus Leinen',
      parts: [
        { field: null, value: 'aus ' },
        { field: 'stoff', value: 'Leinen' },
      ],
    });
  });
});
