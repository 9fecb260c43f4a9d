import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { listExports, loadExport } from '#catalogue/exports.ts';
import { listMasters } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { masterOf } from '#feed/plan/load-master-plan.ts';
import { conditionsOf, type TableRow } from '#feed/stages/assignments/rows.ts';
import { loadCategories, loadMappings, loadRows, loadTargets } from '#feed/stages/assignments/store.ts';
import { colorWords } from './color-words.ts';
import type { Decision } from './learned.ts';
import { Suggester } from './suggest.ts';
import { plainName } from './words.ts';

/** Values between two pauses for other requests: an answer takes seconds for thousands of values. */
const AT_ONCE = 25;

type Known = { targets: TargetEntry[]; decisions: Decision[] };

/** Suggestions for the values of a table (docs/suggestions.md); an accepted one is saved like any row. */
export function suggestionRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.suggestTargets, async ({ principal, params, body, signal }) => {
    const { table, mapping, values, most } = body;
    const { targets, decisions } = await database.company(principal.company, (trx) =>
      table === 'mapping'
        ? knownOfMapping(trx, principal.company, params.id, mapping)
        : knownOfTable(trx, principal.company, params.id, table),
    );
    const synonyms =
      table === 'colors'
        ? colorWords(
            targets.map(({ name }) => name),
            plainName,
          )
        : new Map<string, string>();
    const suggester = new Suggester(targets, decisions, synonyms);
    const answers = [];
    for (const [index, { value, more }] of values.entries()) {
      if (index % AT_ONCE === 0) {
        await turn();
        signal.throwIfAborted();
      }
      const suggestions = suggester
        .suggest({ value, more }, most)
        .map(({ target: { id, name, info }, confidence, reason }) => ({ id, name, info, confidence, reason }));
      answers.push({ value, suggestions });
    }
    return answers;
  });
}

/** The target list of a table, and the company's decisions in the same table of any export. */
async function knownOfTable(trx: Trx, company: string, id: string, table: ExportTable): Promise<Known> {
  await loadExport(trx, company, id);
  const { entries } = await loadTargets(trx, company, id, table);
  const decisions: Decision[] = [];
  for (const master of await listMasters(trx, company)) {
    for (const { id: other, settings } of await listExports(trx, company, master.masterid)) {
      const { rows } =
        table === 'categories' ? await loadCategories(trx, company, other) : await loadRows(trx, company, other, table);
      decisions.push(...decisionsOf(rows, settings.name));
    }
  }
  return { targets: entries, decisions };
}

async function knownOfMapping(trx: Trx, company: string, id: string, mappingid: string | undefined): Promise<Known> {
  const { mappings } = await loadMappings(trx, company, await masterOf(trx, company, id));
  const mapping = mappings.find((one) => one.id === mappingid);
  if (!mapping) throw notFound('Diese Zuordnung');
  // A mapping without a list of targets offers those it has assigned so far.
  const used = new Set(mapping.data.map(({ target }) => target).filter((target) => target !== ''));
  const free = [...used].map((target) => ({ id: target, name: target, info: '' }));
  return {
    targets: mapping.lookupdata.length > 0 ? mapping.lookupdata : free,
    decisions: mappings.flatMap(({ data, name }) => decisionsOf(data, name)),
  };
}

/** The decisions in rows that assign a target to one value: a single condition, 'equal'. */
function decisionsOf(rows: readonly TableRow[], where: string): Decision[] {
  return rows.flatMap((row) => {
    const [only, ...more] = conditionsOf(row);
    const decided = row.target !== '' && more.length === 0 && only?.filter === 'is_equal' && only.value !== '';
    return decided ? [{ value: only.value, target: row.target, where }] : [];
  });
}
