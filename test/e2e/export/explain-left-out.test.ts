import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { ConstructionRow } from '#shared/construction/schema.ts';
import { importFile, masterWith, runExport, testKontor, type TestKontor } from '../../stages/kontor.ts';

const field = (value: string) => [{ type: '_field', value }];
const rows = [
  { exportfield: 'id', valuetype: 'field', field: field('sku'), mp_state: 'Required' },
  { exportfield: 'titel', valuetype: 'field', field: field('titel'), mp_state: 'Required' },
].map((row, at) => ConstructionRow.parse({ id: `c${at}`, ...row }));

describe('items that an export leaves out for their errors', () => {
  let kontor: TestKontor;
  let masterid: string;
  let id: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Bohrer\nA-2;\n');
    ({ id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Shop' } }));
    const { settings } = await kontor.ask(api.export, { params: { id } });
    await kontor.ask(api.saveExport, { params: { id }, body: { ...settings, omitInvalid: true } });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
    await runExport(kontor, id);
  });
  afterAll(() => kontor.close());

  const explain = (itemid: string, query: { run?: string } = {}) =>
    kontor.ask(api.explain, { params: { masterid, itemid }, query: { export: id, ...query } });
  const reason =
    'Artikel A-2 ist nicht im Export „Shop“, denn dieser lässt Artikel mit Fehlern aus. „titel“ ist leer, im Feldaufbau aber als Pflicht gekennzeichnet.';

  it('the explanation names the errors and promises no next run', async () => {
    const gone = await explain('A-2');
    expect(gone).toMatchObject({ inExport: false, excludedBy: null, reason });
    expect(gone.fileNote).toMatch(/^Auch in der Datei vom .* steht er nicht\.$/);
    expect(gone.fields.map(({ name, value }) => [name, value])).toEqual([
      ['id', 'A-2'],
      ['titel', null],
    ]);
    const { runid = '' } = (await kontor.ask(api.exportRuns, { params: { id } }))[0] ?? {};
    const then = await explain('A-2', { run: runid });
    expect(then.reason).toMatch(/^Im Lauf vom .* ist Artikel A-2 nicht im Export „Shop“, denn dieser lässt/);
    expect(then.fileNote).toBe('Die Datei dieses Laufs enthält ihn nicht.');
    expect(await explain('A-1')).toMatchObject({ inExport: true, reason: 'Artikel A-1 ist im Export „Shop“.' });
  });

  it('the item counts as not exported in every list of its exports', async () => {
    const params = { masterid, itemid: 'A-2' };
    expect(await kontor.ask(api.itemExports, { params })).toMatchObject([{ inExport: false, inFile: false, reason }]);
    const [values] = await kontor.ask(api.itemExportValues, { params });
    expect(values).toMatchObject({ inExport: false, reason });
    // The problem is still shown at its value.
    expect(values?.values.map(({ name, problems }) => [name, problems.length])).toEqual([
      ['id', 0],
      ['titel', 1],
    ]);
  });

  it('an import that fixes the item adds it with the next run, and one that breaks it removes it', async () => {
    await importFile(kontor, masterid, { name: 'neu.csv', bytes: 'sku;titel\nA-1;\nA-2;Säge\n' });
    const mended = await explain('A-2');
    expect(mended.inExport).toBe(true);
    expect(mended.fileNote).toMatch(
      /steht er noch nicht\. Seitdem kam der Import .* Der nächste Lauf nimmt ihn auf\.$/,
    );
    const broken = await explain('A-1');
    expect(broken.inExport).toBe(false);
    expect(broken.fileNote).toMatch(/steht er noch\. Seitdem kam der Import .* Der nächste Lauf nimmt ihn heraus\.$/);
  });
});
