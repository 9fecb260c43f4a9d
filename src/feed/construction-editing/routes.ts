import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import {
  incompleteRows,
  missingFieldsText,
  type ConstructionRow,
  type ConstructionRowSave,
  type SourceField,
} from '#shared/construction/schema.ts';
import { templateOf } from '#catalogue/channel-templates.ts';
import { fieldNotes } from '#catalogue/columns.ts';
import { loadExport } from '#catalogue/exports.ts';
import { activeMaster } from '#catalogue/masters.ts';
import { liveSnapshot } from '#catalogue/snapshots.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { unprocessable } from '#platform/errors.ts';
import { route, type Who } from '#platform/http/server.ts';
import { loadConstruction, saveConstruction } from '#feed/stages/construction/store.ts';
import { mergedRows, templateForEditor } from '#feed/stages/construction/template.ts';

export type ConstructionParts = {
  database: Database;
  /** Header of the file that the channel last got; null before the first. */
  acceptedHeader: (trx: Trx, company: string, id: string) => Promise<string[] | null>;
};

export function constructionRoutes(app: FastifyInstance, { database, acceptedHeader }: ConstructionParts): void {
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
      const template = templateOf((await loadExport(trx, who.company, params.id)).settings.channel);
      const { rows, revision } = await loadConstruction(trx, who.company, params.id);
      return {
        rows,
        revision,
        incomplete: incompleteRows(rows).rowIds,
        template: template && template.fields.length > 0 ? templateForEditor(template) : null,
        header: await acceptedHeader(trx, who.company, params.id),
      };
    }),
  );

  const save = async (who: Who, id: string, body: readonly ConstructionRowSave[], options: SaveOptions) => {
    const twice = body.find((row, index) => body.findIndex((other) => other.id === row.id) !== index);
    if (twice) {
      throw unprocessable(
        'id_twice',
        `Die Kennung „${twice.id}“ kommt im Feldaufbau zweimal vor. Es wurde nichts gespeichert.`,
      );
    }
    return database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, id);
      const rows = mergedRows((await loadConstruction(trx, who.company, id)).rows, body);
      const { complete, rowIds } = incompleteRows(rows);
      if (options.wholly && !complete) throw incomplete(rows, rowIds);
      const revision = await saveConstruction(trx, { company: who.company, id }, rows, who.name, options.ifMatch);
      return { ok: true as const, revision, message: 'Daten wurden gespeichert', incomplete: rowIds };
    });
  };

  // CON-07: the labelled variant is saved even when required rows are unfilled; the answer names those (CON-05).
  route(app, api.saveConstruction, ({ who, params, body, ifMatch }) =>
    save(who, params.projectId, body, { ifMatch, wholly: false }),
  );
  // CON-06: the tabbed one is not.
  route(app, api.saveConstructionTabs, ({ who, params, body, ifMatch }) =>
    save(who, params.projectId, body, { ifMatch, wholly: true }),
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
