import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { importFile, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

describe('notes on fields', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel;preis\nA-1;Hammer;3\n', { key: 'sku' });
  });
  afterAll(() => kontor.close());

  const fields = async () => (await kontor.ask(api.items, { query: { masterid } })).fields;
  const notes = async () => Object.fromEntries((await fields()).map(({ name, note }) => [name, note]));
  const noted = async (name: string, note: string) => {
    const id = (await fields()).find((field) => field.name === name)?.id ?? 'f0000';
    await kontor.ask(api.updateFields, { body: { masterid, updatedColumns: [{ id, name, note }] } });
  };
  const raw = (body: unknown, as?: string) =>
    kontor.raw('/api/items/fields/update', {
      method: 'POST',
      ...(as === undefined ? {} : { as }),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('HDR-08 a note of up to 100 characters is stored with its field; grid, field list and pickers show it', async () => {
    const longest = 'n'.repeat(100);
    await noted('preis', `  ${longest} `);
    await noted('titel', 'Für den Shop');
    expect(await notes()).toEqual({ sku: undefined, titel: 'Für den Shop', preis: longest });
    const { columns } = await kontor.ask(api.items, { query: { masterid } });
    expect(columns.find(({ name }) => name === 'titel')?.note).toBe('Für den Shop');
    const picked = await kontor.ask(api.fieldData, { query: { masterid } });
    expect(picked.find(({ name }) => name === 'titel')?.note).toBe('Für den Shop');
    const selectable = await kontor.ask(api.mappingFields, { params: { id: masterid } });
    expect(selectable.find(({ name }) => name === 'titel')?.note).toBe('Für den Shop');
  });

  it('HDR-08 a longer note is refused in German and nothing is stored', async () => {
    const before = await notes();
    const [{ id } = { id: '' }] = await fields();
    const answer = await raw({ masterid, updatedColumns: [{ id, name: 'sku', note: 'n'.repeat(101) }] });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain('Eine Notiz hat höchstens 100 Zeichen.');
    expect(await notes()).toEqual(before);
  });

  it('HDR-08 a field is identified by name, not by a reused id; a removed field is refused', async () => {
    const [sku] = await fields();
    await kontor.ask(api.updateFields, {
      body: { masterid, updatedColumns: [{ id: sku?.id ?? '', name: 'titel', note: 'Nach dem Namen' }] },
    });
    expect(await notes()).toMatchObject({ sku: undefined, titel: 'Nach dem Namen' });
    const answer = await raw({ masterid, updatedColumns: [{ id: sku?.id, name: 'weg', note: 'x' }] });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('Dieses Feld gibt es nicht (mehr).');
  });

  it('HDR-08 ITE-02 notes and visibility do not touch each other', async () => {
    const titel = (await fields()).find(({ name }) => name === 'titel');
    const updatedColumns = [{ id: titel?.id ?? '', show: 0 as const }];
    await kontor.ask(api.updateFields, { body: { masterid, updatedColumns } });
    await noted('titel', 'Neu');
    expect((await fields()).find(({ name }) => name === 'titel')).toMatchObject({ show: 0, note: 'Neu' });
  });

  it('HDR-08 a note outlives imports, also one without its field', async () => {
    await importFile(kontor, masterid, { name: 'a.csv', bytes: 'sku;marke\nA-1;Bosch\n' }, { key: 'sku' });
    expect(await notes()).toEqual({ sku: undefined, marke: undefined });
    await noted('marke', 'Hersteller');
    await importFile(kontor, masterid, { name: 'b.csv', bytes: 'sku;marke;titel\nA-1;Bosch;x\n' }, { key: 'sku' });
    expect(await notes()).toEqual({ sku: undefined, marke: 'Hersteller', titel: 'Neu' });
    expect((await fields()).find(({ name }) => name === 'titel')?.show).toBe(0);
  });

  it('HDR-08 fields named like __proto__ can have notes', async () => {
    const other = await masterWith(kontor, 'sku;__proto__\nA-1;a\n');
    const body = { masterid: other, updatedColumns: [{ id: 'f0002', name: '__proto__', note: 'Seltsam' }] };
    await kontor.ask(api.updateFields, { body });
    const page = await kontor.ask(api.items, { query: { masterid: other } });
    expect(page.fields.map(({ note }) => note)).toEqual([undefined, 'Seltsam']);
  });

  it('HDR-08 the history lists added, changed and removed notes', async () => {
    await noted('marke', 'Hersteller, nicht Händler');
    await noted('marke', '');
    const params = { subject: 'columns', scope: `master:${masterid}` };
    const [gone, changed] = await kontor.ask(api.revisions, { params, query: { limit: 2 } });
    expect(gone?.changes).toEqual(['Notiz zu „marke“: entfernt (vorher „Hersteller, nicht Händler“).']);
    expect(changed?.changes).toEqual(['Notiz zu „marke“: „Hersteller, nicht Händler“ (vorher „Hersteller“).']);
    const first = (await kontor.ask(api.revisions, { params })).at(-1);
    expect(first?.changes).toEqual([`Notiz zu „preis“: „${'n'.repeat(100)}“.`]);
  });

  it('HDR-08 a viewer cannot write a note', async () => {
    const { token } = await kontor.ask(api.createToken, { body: { name: 'Leser', role: 'viewer' } });
    const before = await notes();
    const [{ id } = { id: '' }] = await fields();
    expect((await raw({ masterid, updatedColumns: [{ id, name: 'sku', note: 'x' }] }, token)).status).toBe(403);
    expect(await notes()).toEqual(before);
  });
});
