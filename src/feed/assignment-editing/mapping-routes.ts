import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { api } from '#shared/http/api.ts';
import { INTERNAL_FIELDS, Mapping, type MappingSave } from '#shared/assignments/schema.ts';
import { fieldNotes } from '#catalogue/columns.ts';
import { resolveScope, type Scope } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import { liveSnapshot, orIfNoItems } from '#catalogue/snapshots.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { lockDocument } from '#platform/db/documents.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { notFound, unprocessable } from '#platform/errors.ts';
import type { Audit } from '#platform/http/audit.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import { route, type Principal } from '#platform/http/server.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { ALL_FIELDS } from '#shared/values/schema.ts';
import { masterOf, placesOf } from '#feed/plan/load-master-plan.ts';
import { mappingReaders } from '#feed/plan/mapping-readers.ts';
import { confirmMoves } from '#feed/limit-guard/moved-offers.ts';
import { guardLimits } from '#feed/limit-guard/guard.ts';
import { refuseDoubles } from '#feed/stages/assignments/check.ts';
import { answerInDuckDbProcess } from './answer-in-duckdb-process.ts';
import { runningMappings } from '#feed/stages/assignments/tables.ts';
import { excerptsOf, loadMappingHeads, loadMappings, saveMappings } from '#feed/stages/assignments/store.ts';
import { loadRules } from '#feed/stages/rules/store.ts';

export type AssignmentDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths; clock: Clock };

/** MAP, SWM: value mappings and shop-system mappings. They belong to a master and share one list. */
export function mappingRoutes(app: FastifyInstance, deps: AssignmentDeps): void {
  const { database } = deps;
  const load = (company: string, id: string) =>
    database.company(
      company,
      async (trx) => (await loadMappings(trx, company, await masterOf(trx, company, id))).mappings,
    );

  route(app, api.mappings, async ({ principal, params }) =>
    (await load(principal.company, params.id)).filter(({ kind }) => kind === 'value'),
  );
  route(app, api.shopMappings, async ({ principal, params }) => {
    const shop = (await load(principal.company, params.id)).filter(({ kind }) => kind === 'shop');
    return Object.fromEntries(shop.map((mapping) => [mapping.id, mapping]));
  });

  route(app, api.mappingExcerpts, ({ principal: { company }, params, query }) =>
    database.company(company, async (trx) => {
      const scope = await resolveScope(trx, company, params.id);
      const stored = await loadMappingHeads(trx, company, scope.masterid);
      const fields = await selectableFields(trx, company, scope, stored.mappings);
      return { revision: stored.revision, mappings: excerptsOf(stored.mappings, query), fields };
    }),
  );

  route(app, api.saveMapping, ({ principal, params, body, ...saver }) =>
    edit(deps, { principal, ...saver }, 'Daten wurden gespeichert', async (trx) => {
      const masterid = await masterOf(trx, principal.company, params.masterid);
      const { mappings, revision } = await mappingsToChange(trx, principal.company, masterid);
      const known = mappings.find(({ id }) => id === params.mappingid);
      const saved = Mapping.parse({ ...known, ...body, id: params.mappingid, kind: known?.kind ?? kindOf(body) });
      if (saved.name.trim() === '')
        throw unprocessable('name_empty', 'Bitte geben Sie einen Namen ein. Es wurde nichts gespeichert.', [
          { field: 'name', message: 'Bitte geben Sie einen Namen ein.' },
        ]);
      refuseDoubles(saved.data);
      const list = known ? mappings.map((one) => (one.id === saved.id ? saved : one)) : [...mappings, saved];
      return { masterid, revision, mappings: list };
    }),
  );
  route(app, api.deleteMappings, ({ principal, params, body, ...saver }) =>
    edit(deps, { principal, ...saver }, 'Gelöscht', async (trx) => {
      const { masterid } = await loadMaster(trx, principal.company, params.masterid);
      const { mappings, revision } = await mappingsToChange(trx, principal.company, masterid);
      const rest = mappings.filter(({ id }) => !body.ids.includes(id));
      if (rest.length === mappings.length) throw notFound('Diese Zuordnung');
      return { masterid, revision, mappings: rest };
    }),
  );
  route(app, api.orderMappings, ({ principal, params, body, ...saver }) =>
    edit(deps, { principal, ...saver }, 'Daten wurden gespeichert', async (trx) => {
      const { masterid } = await loadMaster(trx, principal.company, params.masterid);
      const { mappings, revision } = await mappingsToChange(trx, principal.company, masterid);
      return { masterid, revision, mappings: inOrderOf(mappings, body.ids) };
    }),
  );
  fetchRoutes(app, deps);
}

/**
 * Returns the mappings in the order of these ids, those not named last. The two kinds are ordered on separate screens but run as
 * one list: a kind of which none is named keeps its positions, as a mapping may read one of the other kind that runs before it.
 */
function inOrderOf(mappings: readonly Mapping[], ids: readonly string[]): Mapping[] {
  const kinds = new Set(mappings.flatMap(({ id, kind }) => (ids.includes(id) ? [kind] : [])));
  const placeOf = ({ id }: Mapping) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  const sorted = mappings
    .filter(({ kind }) => kinds.has(kind))
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .values();
  return mappings.map((one) => (kinds.has(one.kind) ? (sorted.next().value ?? one) : one));
}

/** Locks and loads the mappings for a change of one of them: no other transaction can save any until this one ends. */
async function mappingsToChange(trx: Trx, company: string, masterid: string) {
  await lockDocument(trx, { company, subject: 'mappings', scope: `master:${masterid}` });
  return loadMappings(trx, company, masterid);
}

/**
 * SWM-03: the wire format does not name the kind. A save of a shop-system mapping has an internal note, and either a list of
 * target values or neither a list nor a description; a complete value mapping has note, description and an empty list.
 */
const kindOf = ({ kind, intern, description, lookupdata }: z.infer<typeof MappingSave>): Mapping['kind'] => {
  if (kind !== undefined) return kind;
  if (intern === undefined) return 'value';
  const isBare = description === undefined && lookupdata === undefined;
  return isBare || (lookupdata ?? []).length > 0 ? 'shop' : 'value';
};

type Saver = { principal: Principal; audit: Audit; confirmation: Confirmation; ifMatch: number | undefined };
/** All mappings of a master after the edit, and the revision that the edit is based on. */
type Edited = { masterid: string; revision: number; mappings: readonly Mapping[] };

/** Saves the mappings that `change` returns; T26: requires confirmation first if that moves the price limits of many offers. */
async function edit(deps: AssignmentDeps, saver: Saver, message: string, change: (trx: Trx) => Promise<Edited>) {
  const { company, name: author } = saver.principal;
  await confirmMoves(deps, saver, async (trx) => {
    const { masterid, mappings } = await change(trx);
    return { masterid, next: { mappings } };
  });
  return deps.database.company(company, async (trx) => {
    const { masterid, revision, mappings } = await change(trx);
    await guardLimits(trx, saver, masterid, { mappings });
    const expected = saver.ifMatch ?? revision;
    const saved = await saveMappings(trx, { company, masterid }, mappings, { author, expected });
    return { ok: true as const, revision: saved, message };
  });
}

/** Routes for the values of a field, from which new rows are made, the selectable fields, and what reads a mapping. */
function fetchRoutes(app: FastifyInstance, { database, duckdb, storagePaths, clock }: AssignmentDeps): void {
  route(app, api.missingRows, async ({ principal, params, body, signal }) => {
    const places = await database
      .company(principal.company, (trx) => placesOf(trx, storagePaths, principal.company, params.id))
      .catch(orIfNoItems(null));
    if (places === null) return Readable.from(['[]']);
    return answerInDuckDbProcess(duckdb, 'missingRows', { places, body, firstId: clock.now().getTime() }, signal);
  });
  route(app, api.mappingReaders, ({ principal: { company }, params, body }) =>
    database.company(company, async (trx) => {
      const { masterid } = await loadMaster(trx, company, params.masterid);
      return mappingReaders(trx, { company, masterid }, body.ids);
    }),
  );
  route(app, api.mappingFields, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      const scope = await resolveScope(trx, principal.company, params.id);
      const { mappings } = await loadMappingHeads(trx, principal.company, scope.masterid);
      return selectableFields(trx, principal.company, scope, mappings);
    }),
  );
}

/** The fields that a row can read (GEN-08): imported ones, those written by rules, the pipeline's own, results of mappings. */
async function selectableFields(
  trx: Trx,
  company: string,
  scope: Scope,
  mappings: readonly Pick<Mapping, 'active' | 'name'>[],
) {
  const { masterid } = scope;
  const snapshot = await liveSnapshot(trx, company, masterid);
  const imported = snapshot?.fields.map(({ name }) => name) ?? [];
  const notes = await fieldNotes(trx, { company, masterid });
  const rules = (await loadRules(trx, company, `master:${masterid}`)).rules;
  const own = scope.kind === 'export' ? (await loadRules(trx, company, scope.name)).rules : [];
  const internal = INTERNAL_FIELDS.filter((field) => scope.kind === 'export' || !('from' in field));
  const entry = (type: '_field' | '_intern' | '_mapping', name: string, value: string, origin: 'import' | '') => ({
    type,
    name,
    value,
    origin,
  });
  return [
    ...imported.map((name) => ({ ...entry('_field', name, name, 'import'), note: notes.get(name) })),
    ...written([...rules, ...own], imported).map((name) => entry('_field', name, name, '')),
    ...internal.map(({ name, value }) => entry('_intern', name, value, '')),
    ...runningMappings(mappings).map(({ name }) => entry('_mapping', name, name, '')),
  ];
}

/** Fields that only rules write. */
function written(rules: readonly Rule[], imported: readonly string[]): string[] {
  const names = rules.filter(({ active }) => active).flatMap(({ actions }) => actions.map(({ field }) => field));
  return [...new Set(names)].filter((name) => name !== '' && name !== ALL_FIELDS && !imported.includes(name));
}
