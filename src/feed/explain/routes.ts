import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import type { Explanation } from '#shared/explain/schema.ts';
import { runWord } from '#shared/runs/words.ts';
import { listExports } from '#catalogue/exports.ts';
import type { StoragePaths } from '#catalogue/storage-paths.ts';
import type { Database } from '#platform/db/database.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { followExport, followItem, followMaster, type ItemTrace } from './explain.ts';
import { absence } from './absent-item.ts';
import { answerOfWay, excludingOf } from './answer.ts';
import { compareWithFile, type Compared } from './file.ts';
import { causeSentence, liveFileSentence, runFileSentence } from './file-sentences.ts';
import { exportValues } from './export-values.ts';
import { findItem, placeOf } from './item-values.ts';
import { omittingErrors } from './omission.ts';
import { notInExport, reasonSentence, timeWords, type Seen } from './sentences.ts';
import { loadQuestion, pastFile, type ExplainRequest } from './load.ts';
import { neededFile, planNow } from './past-plan.ts';

export type ExplainDeps = { database: Database; duckdb: DuckDb; storagePaths: StoragePaths };

/** An explanation is a replay: no part of it is stored, so every item can be explained in every stored run. */
export function explainRoutes(app: FastifyInstance, deps: ExplainDeps): void {
  const { database, duckdb, storagePaths } = deps;

  route(app, api.explain, async ({ principal, params, query, signal }) => {
    const ids = {
      company: principal.company,
      masterid: params.masterid,
      itemId: params.itemid,
      ...(query.export === undefined ? {} : { exportId: query.export }),
      ...(query.run === undefined ? {} : { runid: query.run }),
    };
    const question = await database.company(principal.company, (trx) => loadQuestion(trx, storagePaths, ids));
    await neededFile(storagePaths, question.now);
    const { plan, settings } = question.now;
    const way = await followItem(duckdb, plan, params.itemid, settings?.format, signal);
    return way ? present(deps, question, way, query.field, signal) : absent(deps, question, signal);
  });

  exportsRoute(app, deps);
}

/** The first part of every answer. */
function headOf({ now, record, run, live, itemId }: ExplainRequest) {
  const { number, createdAt } = now.plan.snapshot;
  return {
    item: { id: itemId, title: null },
    snapshot: { number, importedAt: createdAt.toISOString(), live: number === live },
    export: record ? { id: record.id, name: record.settings.name } : null,
    run: run ? { runid: run.id, finishedAt: (run.finished_at ?? run.created_at).toISOString() } : null,
  };
}

async function present(
  deps: ExplainDeps,
  question: ExplainRequest,
  way: ItemTrace,
  field: string | undefined,
  signal: AbortSignal,
): Promise<Explanation> {
  const { now, record, run, itemId } = question;
  const exportName = record?.settings.name;
  const { title, excluding, answer, ...rest } = answerOfWay({ now, way, exportName, field });
  const errors = await omittingErrors(deps.duckdb, now, way, signal);
  const compared = await comparedOf(deps, question, errors.length === 0 ? way : undefined, signal);
  const at = run && { at: run.finished_at ?? run.created_at };
  const inExport = excluding === undefined && errors.length === 0;
  return {
    ...headOf(question),
    item: { id: itemId, title },
    present: true,
    lastSeen: null,
    inExport,
    excludedBy: excluding
      ? { scope: excluding.scope, ruleId: excluding.ruleId, number: excluding.number, name: excluding.name }
      : null,
    reason: reasonSentence({ itemId, exportName, excluding, errors, ...at }),
    answer,
    fileNote: record ? fileNote(question, compared, inExport) : null,
    ...rest,
    file: fileOf(question, compared),
  };
}

async function comparedOf(
  deps: ExplainDeps,
  { now, record, past, itemId, company }: ExplainRequest,
  way: ItemTrace | undefined,
  signal: AbortSignal,
): Promise<Compared | undefined> {
  if (!record || !past) return undefined;
  return compareWithFile(deps, past, { now, way }, { company, exportId: record.id, itemId }, signal);
}

const seenOf = ({ now }: ExplainRequest): Seen => now.plan.snapshot;

function fileOf(question: ExplainRequest, compared: Compared | undefined): Explanation['file'] {
  if (!compared) return null;
  const { changed, reasons: _reasons, ...file } = compared;
  const sentence = (kind: (typeof changed)[number]) => causeSentence(kind, seenOf(question), question.saves.get(kind));
  return { ...file, causes: changed.map((kind) => ({ kind, sentence: sentence(kind) })) };
}

function fileNote(question: ExplainRequest, compared: Compared | undefined, inExport: boolean): string {
  const { past, run, lastRun, record } = question;
  if (!past)
    return run
      ? 'Die Datei dieses Laufs ist nicht mehr da.'
      : `Für diesen Export gibt es noch keine Datei.${unfinished(question)}`;
  const { createdAt } = past.output;
  if (!compared) return `Die Datei vom ${timeWords(createdAt)} lässt sich nicht mehr vergleichen.`;
  if (run) return runFileSentence(compared);
  const made = new Set([...compared.reasons, ...compared.differences.flatMap(({ causes }) => causes)]);
  const causes = made.size > 0 ? compared.changed.filter((kind) => made.has(kind)) : compared.changed;
  const because = causes.map((kind) => causeSentence(kind, seenOf(question), question.saves.get(kind)));
  const last = lastRun && lastRun.runid !== past.output.runid ? unfinished(question) : '';
  const omitsInvalid = record?.settings.omitInvalid === true;
  return liveFileSentence({ ...compared, createdAt, inExport, because, omitsInvalid }) + last;
}

/** A sentence about a newer run that produced no file. */
function unfinished({ lastRun }: ExplainRequest): string {
  if (!lastRun || lastRun.state === 'done') return '';
  if (lastRun.state === 'queued' || lastRun.state === 'running') return ' Gerade läuft ein Export.';
  const at = timeWords(Date.parse(lastRun.createdAt));
  return ` Der letzte Lauf vom ${at} ${lastRun.state === 'blocked' ? 'wartet auf Freigabe' : `ist ${runWord(lastRun)}`}.`;
}

async function absent(deps: ExplainDeps, question: ExplainRequest, signal: AbortSignal): Promise<Explanation> {
  const { itemId, record } = question;
  const { sentence, lastSeen } = await absence(deps, question, signal);
  const compared = await comparedOf(deps, question, undefined, signal);
  return {
    ...headOf(question),
    present: false,
    lastSeen,
    field: null,
    inExport: false,
    excludedBy: null,
    reason: record ? notInExport(itemId, record.settings.name, sentence) : sentence,
    answer: null,
    fileNote: record ? fileNote(question, compared, false) : null,
    stages: [],
    fields: [],
    file: fileOf(question, compared),
  };
}

/** A catalogue's exports, each with its current plan. */
async function loadExports({ database, storagePaths }: ExplainDeps, company: string, masterid: string, itemId: string) {
  return database.company(company, async (trx) => {
    const exports = [];
    for (const record of await listExports(trx, company, masterid)) {
      const now = await planNow(trx, storagePaths, company, masterid, record);
      exports.push({ record, now, past: await pastFile(trx, storagePaths, record, undefined) });
    }
    return { question: await loadQuestion(trx, storagePaths, { company, masterid, itemId }), exports };
  });
}

/** Runs the master's rules once for all its exports. */
function exportsRoute(app: FastifyInstance, deps: ExplainDeps): void {
  const { duckdb, storagePaths } = deps;
  route(app, api.itemExports, async ({ principal, params, signal }) => {
    const { company } = principal;
    const { masterid, itemid } = params;
    const { question, exports } = await loadExports(deps, company, masterid, itemid);
    await neededFile(storagePaths, question.now);
    const raw = await findItem(duckdb, question.now.plan, itemid, signal);
    const missing = raw ? undefined : await absence(deps, question, signal);
    const master = raw && (await followMaster(duckdb, question.now.plan, raw, signal));
    const answers = [];
    for (const { record, now, past } of exports) {
      const { id, settings } = record;
      const way = raw && master && (await followExport(duckdb, now.plan, { raw, master }, settings.format, signal));
      const excluding = way && excludingOf(now, way);
      const errors = way ? await omittingErrors(duckdb, now, way, signal) : [];
      const file = past && storagePaths.output(company, id, past.output.number, 'parquet');
      const isStored = file !== undefined && (await storagePaths.store.has(file));
      answers.push({
        id,
        name: settings.name,
        inExport: way !== undefined && excluding === undefined && errors.length === 0,
        inFile: isStored ? (await placeOf(duckdb, file, itemid, signal)) !== undefined : null,
        reason: way
          ? reasonSentence({ itemId: itemid, exportName: settings.name, excluding, errors })
          : notInExport(itemid, settings.name, missing?.sentence ?? ''),
      });
    }
    return answers;
  });

  route(app, api.itemExportValues, async ({ principal, params, signal }) => {
    const { question, exports } = await loadExports(deps, principal.company, params.masterid, params.itemid);
    await neededFile(storagePaths, question.now);
    const raw = await findItem(duckdb, question.now.plan, params.itemid, signal);
    if (!raw) throw notFound('Diesen Artikel');
    const master = await followMaster(duckdb, question.now.plan, raw, signal);
    const answers = [];
    for (const one of exports) answers.push(await exportValues(duckdb, one, { raw, master }, signal));
    return answers;
  });
}
