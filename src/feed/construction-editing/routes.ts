import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import {
  incompleteRows,
  missingFieldsText,
  type ConstructionRow,
  type ConstructionRowSave,
  type SourceField,
} from '#shared/construction/schema.ts';
import { templateOf } from '#catalogue/channels/channel-templates.ts';
import { fieldNotes } from '#catalogue/columns.ts';
import { loadExport } from '#catalogue/exports.ts';
import { activeMaster, MASTER_HEADER } from '#catalogue/masters.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import { acceptedHeader } from '#feed/stages/output/store.ts';
import type { Database } from '#platform/db/database.ts';
import { unprocessable } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { loadConstruction, saveConstruction } from '#feed/stages/construction/store.ts';
import { mergedRows, templateForEditor } from '#feed/stages/construction/template.ts';

export function constructionRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.fieldData, ({ principal, query, request, reply }) =>
    database.company(principal.company, async (trx) => {
      const masterid =
        query.id === undefined ? query.masterid : (await loadExport(trx, principal.company, query.id)).masterid;
      const master = await activeMaster(trx, principal.company, masterid, request.headers.cookie);
      reply.header(MASTER_HEADER, master.masterid);
      const snapshot = await liveSnapshot(trx, principal.company, master.masterid);
      const notes = await fieldNotes(trx, { company: principal.company, masterid: master.masterid });
      return (snapshot?.fields ?? []).map(({ name }): SourceField => ({
        name,
        value: name,
        origin: 'import',
        note: notes.get(name),
      }));
    }),
  );

  route(app, api.construction, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      const template = templateOf((await loadExport(trx, principal.company, params.id)).settings.channel);
      const { rows, revision } = await loadConstruction(trx, principal.company, params.id);
      return {
        rows,
        revision,
        incomplete: incompleteRows(rows).rowIds,
        template: template && template.fields.length > 0 ? templateForEditor(template) : null,
        header: await acceptedHeader(trx, principal.company, params.id),
      };
    }),
  );

  const save = async (principal: Principal, id: string, body: readonly ConstructionRowSave[], options: SaveOptions) => {
    const twice = body.find((row, index) => body.findIndex((other) => other.id === row.id) !== index);
    if (twice) {
      throw unprocessable(
        'id_twice',
        `Die Kennung „${twice.id}“ kommt im Feldaufbau zweimal vor. Es wurde nichts gespeichert.`,
      );
    }
    return database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, id);
      const rows = mergedRows((await loadConstruction(trx, principal.company, id)).rows, body);
      const { complete, rowIds } = incompleteRows(rows);
      if (options.wholly && !complete) throw incomplete(rows, rowIds);
      const revision = await saveConstruction(
        trx,
        { company: principal.company, id },
        rows,
        principal.name,
        options.ifMatch,
      );
      return { ok: true as const, revision, message: 'Daten wurden gespeichert', incomplete: rowIds };
    });
  };

  // CON-07: this variant is saved even if required rows are empty; the answer names them (CON-05).
  route(app, api.saveConstruction, ({ principal, params, body, ifMatch }) =>
    save(principal, params.projectId, body, { ifMatch, wholly: false }),
  );
  // CON-06: the variant with tabs is refused if required rows are empty.
  route(app, api.saveConstructionTabs, ({ principal, params, body, ifMatch }) =>
    save(principal, params.projectId, body, { ifMatch, wholly: true }),
  );
}

type SaveOptions = { ifMatch: number | undefined; wholly: boolean };

function incomplete(rows: readonly ConstructionRow[], rowIds: readonly string[]) {
  const names = rows.filter(({ id }) => rowIds.includes(id)).map((row) => `„${row.exportfield || '(ohne Namen)'}“`);
  const cause =
    rows.length === 0
      ? 'Der Feldaufbau enthält keine Zeile.'
      : `Diese Pflichtfelder haben noch keinen Wert: ${names.join(', ')}.`;
  return unprocessable('construction_incomplete', `${missingFieldsText} ${cause} Es wurde nichts gespeichert.`);
}
