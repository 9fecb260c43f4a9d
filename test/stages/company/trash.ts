import { join } from 'node:path';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { masterWith, runExport, type TestKontor } from '../kontor.ts';

/** Returns what tests of the trash do with the running program. */
export function trashOf(kontor: () => TestKontor) {
  const post = (path: string, body?: object) =>
    kontor().raw(path, {
      method: 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  return {
    post,
    /** Creates a catalogue with an export that has run. */
    made: async (name: string) => {
      const masterid = await masterWith(kontor(), 'sku;titel\nA-1;Hammer\nA-2;Zange\n', { key: 'sku' });
      const { id } = await kontor().ask(api.createExport, {
        params: { masterid },
        body: { name, filename: 'datei.csv', format: { kind: 'csv' } },
      });
      await runExport(kontor(), id);
      return { masterid, id };
    },
    feedOf: async (id: string) => (await kontor().ask(api.export, { params: { id } })).pullPath,
    trashMaster: (masterid: string, name = 'Testkatalog') => post(pathOf(api.trashMaster, { masterid }), { name }),
    restore: (id: string) => post(pathOf(api.restoreTrashed, { id })),
    jobsOf: (column: 'kind' | 'subject', value: string) =>
      kontor().database.system(async (trx) =>
        (await trx.selectFrom('jobs').select('state').where(column, '=', value).execute()).map(({ state }) => state),
      ),
    filesOf: async (id: string) => {
      const { company } = await kontor().ask(api.session);
      return join(kontor().dataFolder, 'items', company.id, id);
    },
  };
}
