import { api } from '#shared/http/api.ts';
import { catalogueCsv } from '../../seed/catalogue.ts';
import type { Client } from '../../test/stages/client.ts';
import { fiftyRules } from '../cases/rules.ts';
import { fields } from '../cases/validation-cases.ts';

const RULES = 10;

/** Returns a small catalogue; each round has other prices for every tenth item, so that every upload differs from the last. */
export function merchantCsv(items: number, round: number): string {
  return [...catalogueCsv(items)]
    .join('')
    .split('\r\n')
    .map((line, index) => (index % 10 === 1 ? line.replace(/;(\d+,\d\d);/, `;${round % 9}$1;`) : line))
    .join('\r\n');
}

/** Creates a catalogue with ten rules and exports of thirty fields each, imported and built once. */
export async function setUpMerchant(
  client: Client,
  { index, items, exports }: { index: number; items: number; exports: number },
): Promise<{ masterid: string; exports: string[] }> {
  const { ask, upload, ended } = client;
  const { masterid } = await ask(api.createMaster, {}, { name: `Katalog ${index}` });
  await ended(await upload(masterid, merchantCsv(items, 0)), 600);
  await ask(api.saveRules, { masterid }, fiftyRules.slice(0, RULES));
  const rows = fields.map(([exportfield, source], at) => {
    return { id: String(at + 1), exportfield, field: [{ type: '_field', value: source }], valuetype: 'field' };
  });
  const ids: string[] = [];
  for (let at = 0; at < exports; at++) {
    const { id } = await ask(
      api.createExport,
      { masterid },
      { name: `Export ${at}`, channel: 'google', format: 'csv' },
    );
    await ask(api.saveConstruction, { projectId: id }, rows);
    ids.push(id);
  }
  return { masterid, exports: ids };
}
