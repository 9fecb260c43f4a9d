import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { CategoryRow, ExportTable, MappingRow } from '#shared/assignments/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { orIfNoItems } from '#catalogue/snapshots.ts';
import type { Trx } from '#platform/db/database.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { percentOf } from '#shared/values/percent.ts';
import { countTable } from '#feed/plan/assignment-items.ts';
import { placeOf, placesOf } from '#feed/plan/load-master-plan.ts';
import { isTableUsed } from '#feed/plan/used-table.ts';
import { refuseDoubles } from '#feed/stages/assignments/check.ts';
import { loadTableExcerpt, loadTargets, saveTable } from '#feed/stages/assignments/store.ts';
import { answerInDuckDbProcess } from './answer-in-duckdb-process.ts';
import type { AssignmentDeps } from './mapping-routes.ts';

/** CAT, BRA, COL: the tables of an export, their targets, and how many items each row wins. */
export function assignmentRoutes(app: FastifyInstance, deps: AssignmentDeps): void {
  const { database } = deps;

  route(app, api.exportTable, ({ principal, params, query }) =>
    database.company(principal.company, async (trx) => {
      const place = { company: principal.company, ...params };
      await loadExport(trx, place.company, place.id);
      return { ...(await loadTableExcerpt(trx, place, query.rows)), used: await isTableUsed(trx, place) };
    }),
  );

  const save = (
    principal: Principal,
    id: string,
    table: ExportTable,
    rows: readonly (CategoryRow | MappingRow)[],
    expected: number | undefined,
  ) => {
    refuseDoubles(rows);
    return database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, id);
      const revision = await saveTable(trx, { company: principal.company, id, table }, rows, {
        author: principal.name,
        expected,
      });
      return { ok: true as const, revision, message: 'Daten wurden gespeichert' };
    });
  };
  route(app, api.saveCategories, ({ principal, params, body, ifMatch }) =>
    save(principal, params.id, 'categories', body, ifMatch),
  );
  route(app, api.saveBrands, ({ principal, params, body, ifMatch }) =>
    save(principal, params.id, 'brands', body, ifMatch),
  );
  route(app, api.saveColors, ({ principal, params, body, ifMatch }) =>
    save(principal, params.id, 'colors', body, ifMatch),
  );

  const targets = (principal: Principal, id: string, table: ExportTable) =>
    database.company(principal.company, async (trx) => {
      await loadExport(trx, principal.company, id);
      return (await loadTargets(trx, principal.company, id, table)).entries;
    });
  route(app, api.categoryTargets, async ({ principal, body }) =>
    (await targets(principal, body.id, 'categories')).map(({ id, name, info }) => ({
      valueid: id,
      valuename: name,
      valueinfo: info,
    })),
  );
  route(app, api.brandTargets, ({ principal, body }) => targets(principal, body.id, 'brands'));
  route(app, api.colorTargets, ({ principal, body }) => targets(principal, body.id, 'colors'));
  countRoutes(app, deps);
}

/** The answer before the first import (CAT-01). */
const noneCounted = { total: 0, assigned: 0, open: 0, rows: {} };

function countRoutes(app: FastifyInstance, { database, duckdb, storagePaths }: AssignmentDeps): void {
  route(app, api.countCategories, async ({ principal, body, signal }) => {
    const place = (trx: Trx) => placeOf(trx, storagePaths, principal.company, { id: body.id, table: 'categories' });
    const ref = await database.company(principal.company, place).catch(orIfNoItems(null));
    const rows = ref?.kind === 'table' ? ref.plan.tables.categories : [];
    const counted = ref === null ? noneCounted : await countTable(duckdb, ref, rows, signal);
    const { total, assigned, open, rows: byRow } = counted;
    return {
      records: total,
      items: total,
      count_is_cat: { i: assigned, percent: percentOf(assigned, total) },
      count_not_cat: { i: open },
      attributesitems: byRow,
    };
  });

  const places = (company: string, id: string) =>
    database.company(company, (trx) => placesOf(trx, storagePaths, company, id));
  route(app, api.countRows, async ({ principal, params, body, signal }) =>
    answerInDuckDbProcess(duckdb, 'countRows', { places: await places(principal.company, params.id), body }, signal),
  );
  route(app, api.openItems, async ({ principal, params, body, signal }) =>
    answerInDuckDbProcess(duckdb, 'openItems', { places: await places(principal.company, params.id), body }, signal),
  );
}
