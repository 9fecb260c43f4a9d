import type { FastifyInstance } from 'fastify';
import type { CatalogueRef } from '#catalogue/catalogue-ref.ts';
import { vanishedText } from '#feed/targets/vanished.ts';
import { guardLimits } from '#feed/limit-guard/guard.ts';
import type { RulesAndMappings } from '#feed/limit-guard/limit-part.ts';
import { confirmMoves, type LimitDeps } from '#feed/limit-guard/moved-offers.ts';
import type { Trx } from '#platform/db/database.ts';
import { loadDocument, lockDocument, saveDocument } from '#platform/db/documents.ts';
import { KontorError, notAllowed, notFound, unprocessable } from '#platform/errors.ts';
import type { Confirmation } from '#platform/http/questions/confirmation.ts';
import { requireProof, route, type Principal } from '#platform/http/server.ts';
import { Mapping } from '#shared/assignments/schema.ts';
import { documentSubjects, type DocumentSubject } from '#shared/history/schema.ts';
import { api } from '#shared/http/api.ts';
import type { SecurityKind } from '#shared/http/call.ts';
import { RepricerRules, type RepricerRule } from '#shared/repricer/schema.ts';
import { Rules } from '#shared/rules/schema.ts';
import { ownerOf } from './document-owner.ts';
import { subjectHistories } from './subjects.ts';

export type HistoryDeps = LimitDeps & {
  /** T26: requires confirmation if other repricing rules move the price limits of many offers. */
  confirmRepricerRules: (
    ref: CatalogueRef,
    after: (rules: readonly RepricerRule[]) => readonly RepricerRule[],
    confirmation: Confirmation,
  ) => Promise<void>;
};

/** Restores a stored state or, with `part`, one deleted part of it. */
export function restoreRoute(app: FastifyInstance, deps: HistoryDeps): void {
  const { database } = deps;
  route(app, api.restore, async ({ principal, params, body, ifMatch, audit, confirmation }) => {
    const place = { company: principal.company, ...params };
    await confirm(deps, { principal, confirmation }, place, body);
    return database.company(principal.company, async (trx) => {
      const owner = await ownerOf(trx, principal.company, params.scope);
      const secret = confidential.has(params.subject);
      const kind = confidential.get(params.subject) ?? logged.get(params.subject);
      if (kind !== undefined) audit.as(kind);
      // A user who may not set prices through the rules' own call must not do so by restoring older rules.
      if (pricing.has(params.subject) && !principal.permissions.includes('prices')) throw notAllowed();
      if (secret) requireProof(principal);
      const restored = await restore(trx, place, { ...body, saver: { principal, audit }, expected: ifMatch });
      if (kind !== undefined) await audit.within(trx, `${owner}: ${documentSubjects[params.subject].title}`);
      return restored;
    });
  });
}

type Place = { company: string; subject: DocumentSubject; scope: string };
type Choice = { revision: number; part?: string | undefined };

/** T26: restoring an older state requires the same confirmation as saving it. */
async function confirm(
  deps: HistoryDeps,
  caller: { principal: Principal; confirmation: Confirmation },
  place: Place,
  choice: Choice,
): Promise<void> {
  const masterid = masterOf(place.scope);
  if (masterid === undefined) return;
  const { company, subject } = place;
  const body = (trx: Trx) => ownerOf(trx, company, place.scope).then(() => bodies(trx, place, choice));
  if (subject === 'repricer' && caller.principal.permissions.includes('prices')) {
    const { next } = await deps.database.company(company, body);
    await deps.confirmRepricerRules(
      { company, masterid },
      () => RepricerRules.parse(JSON.parse(next)),
      caller.confirmation,
    );
  }
  if (subject === 'rules' || subject === 'mappings')
    await confirmMoves(deps, caller, async (trx) => ({ masterid, next: makersIn(subject, (await body(trx)).next) }));
}

const masterOf = (scope: string): string | undefined => /^master:(.+)$/.exec(scope)?.[1];

const makersIn = (subject: 'rules' | 'mappings', body: string): Partial<RulesAndMappings> =>
  subject === 'rules'
    ? { rules: Rules.parse(JSON.parse(body)) }
    : { mappings: Mapping.array().parse(JSON.parse(body)) };

/** Returns the restored body, in words what stays as it is today, and the current body. */
async function bodies(trx: Trx, { company, subject, scope }: Place, { revision, part }: Choice) {
  const older = await loadDocument(trx, company, subject, scope, revision);
  if (older.body === undefined) throw notFound('Diesen Stand');
  const current = await loadDocument(trx, company, subject, scope);
  const { body, words } =
    part === undefined
      ? restorable(subject, current.body, older.body)
      : { body: partOf(subject, older.body, current.body, part), words: '' };
  return { current, next: body, words };
}

/** Returns what restoring an older body saves, and in words what of today it keeps. */
export const restorable = (subject: DocumentSubject, current: string | undefined, older: string) =>
  subjectHistories[subject].kept?.(current, older) ?? { body: older, words: '' };

type Wanted = Choice & {
  saver: Parameters<typeof guardLimits>[1] & { principal: Principal };
  expected: number | undefined;
};

/** Saves an older state, or one part of it, as the newest revision; the revisions in between are kept. */
async function restore(trx: Trx, place: Place, { saver, expected, ...choice }: Wanted) {
  const { subject, scope } = place;
  if (subject === 'releases') throw notRestorable();
  await lockDocument(trx, place);
  const { current, next, words } = await bodies(trx, place, choice);
  if (expected !== undefined && expected !== current.revision) throw staleRestore(choice, current.author);
  if (next === current.body) {
    throw new KontorError(409, 'nothing_to_restore', 'Der heutige Stand ist schon derselbe. Es wurde nichts geändert.');
  }
  const refusal = subjectHistories[subject].refusal?.(current.body, next);
  if (refusal !== undefined) throw unprocessable('less_safe', refusal);
  const masterid = masterOf(scope);
  // Restoring older rules or mappings moves price limits like a save of them.
  if (masterid !== undefined && (subject === 'rules' || subject === 'mappings'))
    await guardLimits(trx, saver, masterid, makersIn(subject, next));
  const note =
    choice.part === undefined
      ? `Stand ${choice.revision} wiederhergestellt${words}`
      : `Aus Stand ${choice.revision} zurückgeholt`;
  const saved = await saveDocument(trx, place, {
    body: next,
    author: saver.principal.name,
    expected: current.revision,
    note,
  });
  const lacking = await vanishedText(trx, { ...place, before: current.body, after: next });
  return { ok: true as const, revision: saved, message: `${note}${lacking}` };
}

const staleRestore = ({ revision }: Choice, author: string) =>
  new KontorError(
    409,
    'stale',
    `Stand ${revision} wurde nicht wiederhergestellt, denn inzwischen hat ${author} einen neueren gespeichert. Bitte prüfen Sie, was sich gegenüber diesem ändern würde, und stellen Sie ihn dann noch einmal wieder her.`,
  );

/** Subjects that prices depend on: saving them requires the permission 'prices'. */
const pricing: ReadonlySet<string> = new Set(['repricer', 'price_safety'] satisfies DocumentSubject[]);

/** Subjects whose own saves require the password again and are recorded in the security log. */
const confidential: ReadonlyMap<string, SecurityKind> = new Map<DocumentSubject, SecurityKind>([
  ['repricer', 'prices'],
  ['price_safety', 'prices'],
  ['upload', 'secret'],
]);

/** Subjects whose own saves are recorded in the security log, too, but without a proof. */
const logged: ReadonlyMap<string, SecurityKind> = new Map<DocumentSubject, SecurityKind>([
  ['difference', 'settings'],
  ['stock', 'settings'],
]);

const notRestorable = () =>
  unprocessable(
    'not_restorable',
    'Freigaben sind Entscheidungen und lassen sich nicht wiederherstellen. Einen älteren Stand setzen Sie beim Import oder beim Export wieder in Kraft.',
  );

function partOf(subject: DocumentSubject, older: string, current: string | undefined, part: string): string {
  const put = subjectHistories[subject].withPart?.(older, current, part);
  if (put === undefined) throw notFound('Diesen Teil des Standes');
  return put;
}
