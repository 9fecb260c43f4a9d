import { ConstructionRow } from '#shared/construction/schema.ts';
import type { ExplainedStage, Explanation } from '#shared/explain/schema.ts';
import { api } from '#shared/http/api.ts';
import { Rule } from '#shared/rules/schema.ts';
import { masterWith, type TestKontor } from '../kontor.ts';

export const csv = [
  'sku;titel;preis;marke;bild',
  'A-1;Bohrer;10,92;BOSCH;https://x/1.jpg',
  'A-2;Säge;9,90;bosch;',
  'A-3;Hammer;7,50;Fjord;https://x/3.jpg',
  'A-4;Zange;1.299,90;Fjord;https://x/4.jpg',
  '',
].join('\n');

export const rule = (id: string, name: string, querys: object[], actions: object[], active = true) =>
  Rule.parse({
    id: id.padEnd(10, 'x'),
    name,
    active,
    querys: querys.map((one, index) => ({ id: `q${index}`, ...one })),
    actions: actions.map((one, index) => ({ id: `a${index}`, ...one })),
  });
export const all = [{ field: '@ALL@' }];
export const text = (value: string) => [{ type: '_string', value }];
export const times = (field: string, factor: string) => ({
  field,
  select: 'calculate',
  selecttyp: 'calculate',
  actionOperator: 'multiply',
  value: [
    { type: '_field', value: '' },
    { type: '_number', value: factor },
  ],
});
export const noPicture = rule(
  'ohneBild',
  'ohne Bild raus',
  [{ field: 'bild', select: 'is_empty' }],
  [{ field: '@ALL@', select: 'unset' }],
);
export const markUp = (factor = '1.19') => rule('Aufschlag', 'Aufschlag', all, [times('preis', factor)]);
export const bosch = rule(
  'Marke',
  'Marke',
  [{ field: 'marke', select: 'is_equal', value: 'bosch' }],
  [{ field: 'marke', select: 'set', value: text('Bosch') }],
);
export const paused = rule('Pause', 'Pause', all, [{ field: 'titel', select: 'set', value: text('weg') }], false);
export const dear = rule(
  'Teuer',
  'Teuerstes raus',
  [{ field: 'preis', select: 'is_in_highest', value: '1' }],
  [{ field: '@ALL@', select: 'unset' }],
);

export const field = (value: string) => ({ type: '_field', value });
export const rows = [
  { exportfield: 'id', valuetype: 'field', field: [{ type: '_intern', value: '_id' }], mp_state: 'Required' },
  {
    exportfield: 'title',
    valuetype: 'combine',
    field: [field('marke'), { type: '_string', value: ' ' }, field('titel')],
  },
  { exportfield: 'price', valuetype: 'field', field: [field('preis')], mp_state: 'Required' },
  { exportfield: 'shipping', valuetype: 'input', field: [{ type: '_string', value: '4,90' }] },
  { exportfield: 'ean', valuetype: 'field', field: [field('ean')], mp_state: 'Required' },
].map((row, index) => ConstructionRow.parse({ id: `c${index}`, ...row }));

export async function explainedExport(kontor: TestKontor, masterid: string, name: string): Promise<string> {
  const { id } = await kontor.ask(api.createExport, {
    params: { masterid },
    body: { name, format: 'csv', decimal: 'comma' },
  });
  await kontor.ask(api.saveConstruction, { params: { projectId: id }, body: rows });
  return id;
}

/** Creates the catalogue with an export, and rules of both. */
export async function explainedCatalogue(kontor: TestKontor): Promise<{ masterid: string; exportid: string }> {
  const masterid = await masterWith(kontor, csv);
  const exportid = await explainedExport(kontor, masterid, 'idealo');
  await kontor.ask(api.saveMasterRules, { params: { masterid }, body: [bosch, markUp(), noPicture, paused] });
  await kontor.ask(api.saveRules, { params: { masterid: exportid }, body: [dear] });
  return { masterid, exportid };
}

export function stageOf<K extends ExplainedStage['kind']>({ stages }: Explanation, kind: K) {
  const found = stages.find((stage): stage is Extract<ExplainedStage, { kind: K }> => stage.kind === kind);
  if (!found) throw new Error(`no stage ${kind}`);
  return found;
}
