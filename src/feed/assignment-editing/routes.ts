import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { CategoryRow, ExportTable, MappingRow } from '#shared/assignments/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { titleField } from '#catalogue/title-field.ts';
import { route, type Who } from '#platform/http/server.ts';
import { countTable, openItems } from '#feed/plan/assignment-items.ts';
import { placeOf } from '#feed/plan/load-master-plan.ts';
import { refuseDoubles } from '#feed/stages/assignments/check.ts';
import { loadTableExcerpt, loadTargets, saveTable } from '#feed/stages/assignments/store.ts';
import type { AssignmentParts } from './mapping-routes.ts';

/** CAT, BRA, COL: the tables of an export, their targets, and how many items each row wins. */
export function assignmentRoutes(app: FastifyInstance, parts: AssignmentParts): void {
  const { database } = parts;

  route(app, api.exportTable, ({ who, params, query }) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, params.id);
      return loadTableExcerpt(trx, { company: who.company, ...params }, query.rows);
    }),
  );

  const save = (
    who: Who,
    id: string,
    table: ExportTable,
    rows: readonly (CategoryRow | MappingRow)[],
    expected: number | undefined,
  ) => {
    refuseDoubles(rows);
    return database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, id);
      const revision = await saveTable(trx, { company: who.company, id, table }, rows, { author: who.name, expected });
      return { ok: true as const, revision, message: 'Daten wurden gespeichert' };
    });
  };
  route(app, api.saveCategories, ({ who, params, body, ifMatch }) => save(who, params.id, 'categories', body, ifMatch));
  route(app, api.saveBrands, ({ who, params, body, ifMatch }) => save(who, params.id, 'brands', body, ifMatch));
  route(app, api.saveColors, ({ who, params, body, ifMatch }) => save(who, params.id, 'colors', body, ifMatch));

  const targets = (who: Who, id: string, table: ExportTable) =>
    database.company(who.company, async (trx) => {
      await loadExport(trx, who.company, id);
      return (await loadTargets(trx, who.company, id, table)).entries;
    });
  route(app, api.categoryTargets, async ({ who, body }) =>
    (await targets(who, body.id, 'categories')).map(({ id, name, info }) => ({
      valueid: id,
      valuename: name,
      valueinfo: info,
    })),
  );
  route(app, api.brandTargets, ({ who, body }) => targets(who, body.id, 'brands'));
  route(app, api.colorTargets, ({ who, body }) => targets(who, body.id, 'colors'));
  countRoutes(app, parts);
}

function countRoutes(app: FastifyInstance, { database, duck, places }: AssignmentParts): void {
  route(app, api.countCategories, async ({ who, body, signal }) => {
    const place = await database.company(who.company, (trx) =>
      placeOf(trx, places, who.company, { id: body.id, table: 'categories' }),
    );
    const rows = place.kind === 'table' ? place.plan.tables.categories : [];
    const { total, assigned, open, rows: byRow } = await countTable(duck, place, rows, signal);
    const percent = total === 0 ? 0 : Math.round((assigned / total) * 1000) / 10;
    return {
      records: total,
      items: total,
      count_is_cat: { i: assigned, percent },
      count_not_cat: { i: open },
      attributesitems: byRow,
    };
  });

  route(app, api.countRows, async ({ who, params, body, signal }) => {
    const place = await database.company(who.company, (trx) =>
      placeOf(trx, places, who.company, { ...body, id: params.id }),
    );
    return countTable(duck, place, body.rows, signal);
  });

  route(app, api.openItems, async ({ who, params, body, signal }) => {
    const place = await database.company(who.company, (trx) =>
      placeOf(trx, places, who.company, { ...body, id: params.id }),
    );
    const { rows, field, type, value, offset, limit } = body;
    const title = titleField(place.plan.snapshot.fields);
    return openItems(duck, place, { rows, source: { type, value: field }, title, value, offset, limit }, signal);
  });
}
