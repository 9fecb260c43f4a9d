import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { withValue } from '#shared/attributes/schema.ts';
import type { Places } from '#catalogue/storage-paths.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import type { Duck } from '#platform/duckdb/duckdb.ts';
import { unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { constructedNames } from '#shared/attributes/schema.ts';
import { selectionOf } from './fields.ts';
import { attributeGroups, attributeList } from './list.ts';
import { loadAttributes, saveAttributes } from '#feed/stages/attributes/store.ts';
import { loadPlan } from '#feed/plan/load-plan.ts';

type AttributeParts = { database: Database; duck: Duck; places: Places };

/** ATT: values of export fields that are set by category, behind the construction. */
export function attributeRoutes(app: FastifyInstance, { database, duck, places }: AttributeParts): void {
  const load = async (trx: Trx, company: string, id: string) => {
    const { plan, record, revisions } = await loadPlan(trx, places, company, id);
    return { plan, format: record.settings.format, revision: revisions['attributes'] ?? 0 };
  };

  route(app, api.attributes, async ({ who, body, signal }) => {
    const loaded = await database.company(who.company, (trx) => load(trx, who.company, body.id));
    return attributeList(duck, loaded, selectionOf(body), body, signal);
  });

  route(app, api.setAttribute, async ({ who, body, ifMatch, signal }) => {
    const { id, target, selector, type, variant, value } = body;
    const selection = selectionOf({ cat: selector, typ: type });
    const { loaded, revision } = await database.company(who.company, async (trx) => {
      const { plan, format } = await load(trx, who.company, id);
      if (constructedNames(plan.construction).has(target)) throw constructed(target);
      const { values } = await loadAttributes(trx, who.company, id);
      const attributes = withValue(values, { target, ...selection, variant, value });
      const save = { author: who.name, expected: ifMatch };
      const saved = await saveAttributes(trx, { company: who.company, id }, attributes, save);
      return { loaded: { plan: { ...plan, attributes }, format }, revision: saved };
    });
    const { data, listlength } = await attributeList(duck, loaded, selection, body, signal);
    return { data, listlength, revision };
  });

  route(app, api.attributeGroups, async ({ who, params, signal }) => {
    const { plan, revision } = await database.company(who.company, (trx) => load(trx, who.company, params.id));
    return { ...(await attributeGroups(duck, plan, signal)), revision };
  });
}

const constructed = (target: string) =>
  unprocessable(
    'attribute_constructed',
    `Das Feld „${target}“ wird im Feldaufbau gefüllt. Ändern Sie den Wert dort, oder leeren Sie dort die Quelle. Es wurde nichts gespeichert.`,
  );
