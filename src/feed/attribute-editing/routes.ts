import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { withValue } from '#shared/attributes/schema.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { lockDocument } from '#platform/db/documents.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { passesThrough } from '#feed/plan/export-plan.ts';
import { filledNames, selectionOf } from './fields.ts';
import { attributeGroups, attributeList, categorised } from './list.ts';
import { attributesPlace, loadAttributes, saveAttributes } from '#feed/stages/attributes/store.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';

export type AttributeDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** ATT: values of export fields that are set by category, applied after the construction. */
export function attributeRoutes(app: FastifyInstance, { database, duckdb, storagePaths }: AttributeDeps): void {
  const load = async (trx: Trx, company: string, id: string) => {
    const { plan, record, revisions } = await loadPlan(trx, storagePaths, company, id);
    return { plan, format: record.settings.format, revision: revisions['attributes'] ?? 0 };
  };

  route(app, api.attributes, async ({ principal, body, signal }) => {
    const loaded = await database.company(principal.company, (trx) => load(trx, principal.company, body.id));
    return attributeList(duckdb, loaded, selectionOf(body), body, signal);
  });

  route(app, api.setAttribute, async ({ principal, body, ifMatch, signal }) => {
    const { id, target, selector, type, variant, value } = body;
    const selection = selectionOf({ cat: selector, typ: type });
    const { loaded, revision } = await database.company(principal.company, async (trx) => {
      const { plan, format } = await load(trx, principal.company, id);
      if (filledNames(plan, categorised(plan).relation).has(target)) throw filled(target, passesThrough(plan));
      await lockDocument(trx, attributesPlace(principal.company, id));
      const { values } = await loadAttributes(trx, principal.company, id);
      const attributes = withValue(values, { target, ...selection, variant, value });
      const save = { author: principal.name, expected: ifMatch };
      const saved = await saveAttributes(trx, { company: principal.company, id }, attributes, save);
      return { loaded: { plan: { ...plan, attributes }, format }, revision: saved };
    });
    const { data, listlength } = await attributeList(duckdb, loaded, selection, body, signal);
    return { data, listlength, revision };
  });

  route(app, api.attributeGroups, async ({ principal, params, signal }) => {
    const { plan, revision } = await database.company(principal.company, (trx) =>
      load(trx, principal.company, params.id),
    );
    return { ...(await attributeGroups(duckdb, plan, signal)), passesThrough: passesThrough(plan), revision };
  });
}

const filled = (target: string, fromCatalogue: boolean) =>
  unprocessable(
    'attribute_constructed',
    fromCatalogue
      ? `Das Feld „${target}“ kommt unverändert aus dem Katalog, denn dieser Export hat keinen Feldaufbau mit Quellen. Ändern Sie den Wert mit einer Regel, oder legen Sie einen Feldaufbau an. Es wurde nichts gespeichert.`
      : `Das Feld „${target}“ wird im Feldaufbau gefüllt. Ändern Sie den Wert dort, oder leeren Sie dort die Quelle. Es wurde nichts gespeichert.`,
  );
