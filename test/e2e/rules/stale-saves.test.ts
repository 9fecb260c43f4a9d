import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf, type Call } from '#shared/http/call.ts';
import { Rule } from '#shared/rules/schema.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';

type Save = { body?: unknown; query?: string };
const rules = [Rule.parse({ id: 'Regel00001', name: 'Regel' })];
const exported = { name: 'Kanal', channel: 'frei', format: {}, filename: 'x.csv' };

/** Every save of a document, with a valid body. In this order: rules and mappings exist before they are deleted. */
const saves: Record<string, Save> = {
  saveRules: { body: rules },
  deleteRule: {},
  saveMasterRules: { body: rules },
  deleteMasterRule: {},
  restore: { body: { revision: 1 } },
  saveRepricerRule: { body: { name: 'Regel' } },
  orderRepricerRules: { body: { ids: ['Regel00001'] } },
  deleteRepricerRule: { query: '?queryselector=Regel00001' },
  savePriceSafety: { body: { figures: {}, confirmed: true, reason: 'Test' } },
  saveImportDifference: { body: {} },
  saveExportDifference: { body: {} },
  saveExport: { body: exported },
  saveUpload: { body: {} },
  saveMailSettings: {
    body: {
      active: false,
      host: 'mail.beispiel.de',
      port: 587,
      sender: 'a@beispiel.de',
      recipients: ['b@beispiel.de'],
    },
  },
  saveConstruction: { body: [] },
  saveConstructionTabs: { body: [{ id: '1', exportfield: 'id', field: [{ type: '_field', value: 'sku' }] }] },
  saveImportSchedule: { body: {} },
  saveExportSchedule: { body: {} },
  saveStockSchedule: { body: {} },
  saveStockSettings: { body: { field: 'titel' } },
  setAttribute: { body: { id: 'EXPORT', target: 'farbe', value: 'rot' } },
  saveMapping: { body: { name: 'Mapping' } },
  orderMappings: { body: { ids: ['Mapping001'] } },
  deleteMappings: { body: { ids: ['Mapping001'] } },
  saveCategories: { body: [] },
  saveBrands: { body: [] },
  saveColors: { body: [] },
  saveView: { body: { name: 'Offene' } },
};

describe('saves of documents', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  let view: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, 'sku;titel\nA-1;Hammer\n', { key: 'sku' });
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: { name: 'Kanal' } })).id;
    await kontor.ask(api.saveRules, { params: { masterid }, body: [Rule.parse({ id: 'RuleBefore', name: 'Davor' })] });
    view = (await kontor.ask(api.createView, { body: { table: 'orders', name: 'Alle', query: '' } })).id;
  });
  afterAll(() => kontor.close());

  const send = async (name: string, { body, query = '' }: Save, headers: Record<string, string>) => {
    const call: Call = Object.entries(api).find(([key]) => key === name)?.[1] ?? api.saveRules;
    const ofExport = /exports|brands|colors|categor|construction/i.test(call.path) && !call.path.includes('/mapping/');
    const own: Record<string, string> = {
      masterid,
      id: ofExport ? exportid : masterid,
      projectId: exportid,
      mappingid: 'Mapping001',
      ruleid: 'Regel00001',
      view,
      subject: 'rules',
      scope: `master:${masterid}`,
    };
    const answer = await kontor.raw(pathOf(call, own) + query, {
      method: call.method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body).replace('EXPORT', exportid) }),
    });
    return { status: answer.status, text: await answer.text() };
  };

  it('every call with If-Match is in this list', () => {
    const guarded = Object.entries(api as Record<string, Call>).filter(([, { ifMatch }]) => ifMatch === true);
    expect(Object.keys(saves).toSorted()).toEqual(guarded.map(([name]) => name).toSorted());
  });

  it.each(Object.entries(saves))('%s with a stale revision is refused with 409', async (name, save) => {
    const stale = await send(name, save, { 'if-match': '999' });
    expect([stale.status, stale.text]).toEqual([409, expect.stringContaining('"stale"')]);
    // Without an expected revision it is accepted: it was only refused for its revision.
    const taken = await send(name, save, {});
    expect([taken.status, taken.text]).toEqual([200, expect.anything()]);
  });
});
