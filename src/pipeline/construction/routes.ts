import type { FastifyInstance } from 'fastify';
import { api } from '#shared/api.ts';
import { incompleteRows, type SourceField } from '#shared/construction.ts';
import { fieldNotes } from '#items/columns.ts';
import { loadExport } from '#items/exports.ts';
import { activeMaster } from '#items/masters.ts';
import { liveSnapshot } from '#items/snapshots.ts';
import type { Database } from '#platform/db.ts';
import { unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http.ts';
import { loadConstruction, saveConstruction } from './store.ts';

export function constructionRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.fieldData, ({ who, query }) =>
    database.company(who.company, async (trx) => {
      const masterid =
        query.id === undefined ? query.masterid : (await loadExport(trx, who.company, query.id)).masterid;
      const master = await activeMaster(trx, who.company, masterid);
      const snapshot = await liveSnapshot(trx, who.company, master.masterid);
      const notes = await fieldNotes(trx, { company: who.company, masterid: master.masterid });
      return (snapshot?.fields ?? []).map(({ name }): SourceField => ({
        name,
        value: name,
        origin: 'import',
        note: notes.get(name),
      }));
    }),
  );

  route(app, api.construction, ({ who, params }) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      const { rows, revision } = await loadConstruction(trx, who.company, params.id);
      return { rows, revision, incomplete: incompleteRows(rows).rowIds };
    }),
  );

  // CON-07: the labelled variant is saved even when required rows are unfilled; the answer names those (CON-05).
  route(app, api.saveConstruction, async ({ who, params, body, ifMatch }) => {
    const twice = body.find((row, index) => body.findIndex((other) => other.id === row.id) !== index);
    if (twice) {
      throw unprocessable(
        'id_twice',
        `Die Kennung „${twice.id}“ kommt im Feldaufbau zweimal vor. Es wurde nichts gespeichert.`,
      );
    }
    const revision = await database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.projectId);
      return saveConstruction(trx, { company: who.company, id: params.projectId }, body, who.name, ifMatch);
    });
    return {
      ok: true as const,
      revision,
      message: 'Daten wurden gespeichert',
      incomplete: incompleteRows(body).rowIds,
    };
  });
}
