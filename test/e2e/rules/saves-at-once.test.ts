import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

/** Ten columns, and ten concurrent changes of each kind. */
const names = Array.from({ length: 10 }, (_, index) => `spalte${index}`);

/** Parts of one document that are saved concurrently, none with an expected revision: all are stored, none is refused. */
describe('concurrent saves of parts of a document', () => {
  let kontor: TestKontor;
  let masterid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, `sku;${names.join(';')}\nA-1;${names.join(';')}\n`, { key: 'sku' });
  });
  afterAll(() => kontor.close());

  it('MAP-08 all mappings are stored', async () => {
    await Promise.all(
      names.map((name, index) =>
        kontor.ask(api.saveMapping, { params: { masterid, mappingid: `Mapping00${index}` }, body: { name } }),
      ),
    );
    const { mappings } = await kontor.ask(api.mappingExcerpts, { params: { id: masterid }, query: {} });
    expect(mappings.map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('HDR-08 all field notes are stored', async () => {
    const { fields } = await kontor.ask(api.items, { query: { masterid } });
    const noted = fields.filter(({ name }) => names.includes(name));
    await Promise.all(
      noted.map(({ id, name }) =>
        kontor.ask(api.updateFields, { body: { masterid, updatedColumns: [{ id, name, note: `Notiz ${name}` }] } }),
      ),
    );
    const kept = (await kontor.ask(api.items, { query: { masterid } })).fields;
    expect(kept.flatMap(({ note }) => note ?? [])).toEqual(names.map((name) => `Notiz ${name}`));
  });

  it('RUL-14 rules deleted concurrently are all gone', async () => {
    const rules = names.map((name, index) => Rule.parse({ id: `Regel0000${index}`, name }));
    await kontor.ask(api.saveRules, { params: { masterid }, body: rules });
    await Promise.all(rules.map(({ id }) => kontor.ask(api.deleteRule, { params: { masterid, ruleid: id } })));
    expect(await kontor.ask(api.rules, { params: { masterid } })).toEqual([]);
  });

  it('ATT-05 all attribute values are stored', async () => {
    const { id } = await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } });
    await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: [] });
    await Promise.all(
      names.map((target) =>
        kontor.ask(api.setAttribute, {
          body: { id, target: `neu ${target}`, type: '', selector: 'all', value: target },
        }),
      ),
    );
    const place = { subject: 'attributes', scope: `export:${id}` };
    const [newest] = await kontor.ask(api.revisions, { params: place });
    expect(newest).toMatchObject({ revision: names.length });
  });
});
