import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { ExportTable } from '#shared/assignments/schema.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { listExports, loadExport } from '#catalogue/exports.ts';
import { listMasters } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import { KontorError, notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { runInThread } from '#platform/run-in-thread.ts';
import { masterOf } from '#feed/plan/load-master-plan.ts';
import { conditionsOf, type TableRow } from '#feed/stages/assignments/rows.ts';
import { loadCategories, loadMappings, loadRows, loadTargetText } from '#feed/stages/assignments/store.ts';
import { answerSuggestions, SuggestionAnswer, type SuggestionQuestion } from './answer.ts';
import type { Decision } from './learned.ts';

/**
 * Larger questions are answered on a thread of their own, which also parses the list. Its start costs a few tenths of a second;
 * here, 10,000 targets keep other requests waiting for about as long. `listCharacters`: a stored list of about as many targets.
 */
const MOST_HERE = { entries: 10_000, listCharacters: 1_000_000, characters: 50_000 } as const;

type Known = { targets: string | TargetEntry[]; decisions: Decision[] };

/** Suggestions for the values of a table (docs/suggestions.md); an accepted one is saved like any row. */
export function suggestionRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.suggestTargets, async ({ principal, params, body, signal }) => {
    const { table, mapping, values, most } = body;
    const { targets, decisions } = await database.company(principal.company, (trx) =>
      table === 'mapping'
        ? knownOfMapping(trx, principal.company, params.id, mapping)
        : knownOfTable(trx, principal.company, params.id, table),
    );
    const question = {
      isColors: table === 'colors',
      targets: typeof targets === 'string' ? targets : targets.map(({ id, name, info }) => ({ id, name, info })),
      decisions,
      values,
      most,
    };
    return isLarge(question) ? apart(question, signal) : answerSuggestions(question, signal);
  });
}

/** Whether the answer takes so long that other requests would have to wait. Long words are compared part by part. */
const isLarge = ({ targets, decisions, values }: SuggestionQuestion): boolean =>
  (typeof targets === 'string'
    ? targets.length > MOST_HERE.listCharacters || decisions.length > MOST_HERE.entries
    : targets.length + decisions.length > MOST_HERE.entries) ||
  values.reduce((sum, { value, more }) => sum + value.length + more.join('').length, 0) > MOST_HERE.characters;

const apart = async (question: SuggestionQuestion, signal: AbortSignal): Promise<SuggestionAnswer> =>
  SuggestionAnswer.parse(
    await runInThread(new URL('./suggest-worker.ts', import.meta.url), question, { signal, tooLarge }),
  );

const tooLarge = (cause: unknown) =>
  new KontorError(
    422,
    'suggestions_too_large',
    'Vorschläge aus einer so großen Liste für so viele Zeilen dauern länger als eine Minute. Die Zeilen lassen sich ohne sie zuordnen: Suchen Sie die Ziele dort mit ihrem Namen.',
    { cause },
  );

/** The target list of a table, and the company's decisions in the same table of any export. */
async function knownOfTable(trx: Trx, company: string, id: string, table: ExportTable): Promise<Known> {
  await loadExport(trx, company, id);
  const targets = (await loadTargetText(trx, company, id, table)) ?? [];
  const decisions: Decision[] = [];
  for (const master of await listMasters(trx, company)) {
    for (const { id: other, settings } of await listExports(trx, company, master.masterid)) {
      const { rows } =
        table === 'categories' ? await loadCategories(trx, company, other) : await loadRows(trx, company, other, table);
      decisions.push(...decisionsOf(rows, settings.name));
    }
  }
  return { targets, decisions };
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
