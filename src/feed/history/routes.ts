import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import {
  documentSubjects,
  subjectNames,
  type DocumentSubject,
  type Revision,
  type RevisionContent,
} from '#shared/history/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import {
  listActivity,
  listRevisions,
  loadContents,
  loadDocument,
  saveDocument,
  type Document,
  type Revision as SavedRevision,
} from '#platform/db/documents.ts';
import { KontorError, notAllowed, notFound, unprocessable } from '#platform/errors.ts';
import { requireProof, route, type Principal } from '#platform/http/server.ts';
import type { SecurityKind } from '#shared/http/call.ts';
import { Mapping } from '#shared/assignments/schema.ts';
import { Rules } from '#shared/rules/schema.ts';
import { guardLimits } from '#feed/limit-guard/guard.ts';
import { compare, LARGE } from './compare.ts';
import { comparison } from './comparison.ts';
import { subjectHistories } from './subjects.ts';

/** Of all states that one page compares. */
const PAGE_BYTES = 2_000_000;

/** The history of every document: who saved what and when, any state seen again and brought back. */
export function historyRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.revisions, async ({ principal, params, query }) => {
    const { company } = principal;
    const { saved, contentOf } = await database.company(company, async (trx) => {
      await ownerOf(trx, company, params.scope);
      const found = await listRevisions(trx, { company, ...params }, query);
      return { saved: found, contentOf: await loadContents(trx, company, comparable(found)) };
    });
    return saved.map((revision) => described(params.subject, revision, contentOf(revision)));
  });

  stateRoutes(app, database);

  route(app, api.restore, ({ principal, params, body, ifMatch, audit }) =>
    database.company(principal.company, async (trx) => {
      const owner = await ownerOf(trx, principal.company, params.scope);
      const kind = confidential.get(params.subject);
      if (kind !== undefined) audit.as(kind);
      // Who may not set prices by the rules' own call may not do so by an older state of them either.
      if (pricing.has(params.subject) && !principal.permissions.includes('prices')) throw notAllowed();
      if (kind !== undefined) requireProof(principal);
      const restored = await restore(
        trx,
        { company: principal.company, ...params },
        { ...body, principal, expected: ifMatch },
      );
      if (kind !== undefined) await audit.within(trx, `${owner}: ${documentSubjects[params.subject].title}`);
      return restored;
    }),
  );

  route(app, api.activity, ({ principal, query }) =>
    database.company(principal.company, async (trx) => {
      const saved = await listActivity(trx, principal.company, query);
      const contentOf = await loadContents(trx, principal.company, comparable(saved));
      const owners = new Map<string, string | undefined>();
      for (const { scope } of saved) {
        if (!owners.has(scope)) owners.set(scope, await ownerIfThere(trx, principal.company, scope));
      }
      return saved.flatMap((revision) => {
        const subject = subjectNames.find((name) => name === revision.subject);
        const { scope } = revision;
        const owner = owners.get(scope);
        if (subject === undefined || owner === undefined) return [];
        return [{ ...described(subject, revision, contentOf(revision)), subject, scope, owner }];
      });
    }),
  );
}

/** One kept state: its content, and what it changed. */
function stateRoutes(app: FastifyInstance, database: Database): void {
  route(app, api.revision, async ({ principal, params, signal }) => {
    const { company } = principal;
    const { newest, older } = await database.company(company, async (trx) => {
      await ownerOf(trx, company, params.scope);
      const load = (revision?: number) => loadDocument(trx, company, params.subject, params.scope, revision);
      return { newest: await load(), older: params.revision === 'latest' ? undefined : await load(params.revision) };
    });
    if (older === undefined) return content(newest, [], principal);
    if (older.body === undefined) throw notFound('Diesen Stand');
    const states = { subject: params.subject, before: newest.body, after: older.body };
    return content(older, (await compare(states, principal, signal)).changes, principal);
  });

  route(app, api.revisionChanges, async ({ principal, params, signal }) => {
    const { company } = principal;
    const { subject, scope, number: revision } = params;
    const found = await database.company(company, async (trx) => {
      await ownerOf(trx, company, scope);
      return (await loadContents(trx, company, [{ subject, scope, revision }]))({ subject, scope, revision });
    });
    if (found === undefined) throw notFound('Diesen Stand');
    return compare({ subject, before: found.before, after: found.body }, principal, signal);
  });
}

/** Subjects that prices depend on: saving them needs the permission for that. */
const pricing: ReadonlySet<string> = new Set(['repricer', 'price_safety'] satisfies DocumentSubject[]);

/** Subjects whose own saves ask for the password again and stand in the security log. */
const confidential: ReadonlyMap<string, SecurityKind> = new Map<DocumentSubject, SecurityKind>([
  ['repricer', 'prices'],
  ['price_safety', 'prices'],
  ['upload', 'secret'],
]);

function content(
  { revision, author, createdAt, body }: Document,
  back: string[],
  principal: Pick<Principal, 'name'>,
): RevisionContent {
  const saved: unknown = body === undefined ? null : JSON.parse(body);
  return {
    revision,
    author,
    own: author === principal.name,
    createdAt: createdAt?.toISOString() ?? null,
    content: saved,
    back,
  };
}

type Wanted = { revision: number; part?: string | undefined; principal: Principal; expected: number | undefined };

/** An older state, or one part of it, becomes the newest one; nothing in between is lost. */
async function restore(
  trx: Trx,
  ref: { company: string; subject: DocumentSubject; scope: string },
  { revision, part, principal, expected }: Wanted,
) {
  const { company, subject, scope } = ref;
  if (subject === 'releases') throw notRestorable();
  const older = await loadDocument(trx, company, subject, scope, revision);
  if (older.body === undefined) throw notFound('Diesen Stand');
  const current = await loadDocument(trx, company, subject, scope);
  const { body, words } =
    part === undefined
      ? (subjectHistories[subject].kept?.(current.body, older.body) ?? { body: older.body, words: '' })
      : { body: partOf(subject, older.body, current.body, part), words: '' };
  if (body === current.body) {
    throw new KontorError(409, 'nothing_to_restore', 'Der heutige Stand ist schon derselbe. Es wurde nichts geändert.');
  }
  const refusal = subjectHistories[subject].refusal?.(current.body, body);
  if (refusal !== undefined) throw unprocessable('less_safe', refusal);
  await guardRestored(trx, principal, ref, body);
  const note =
    part === undefined ? `Stand ${revision} wiederhergestellt${words}` : `Aus Stand ${revision} zurückgeholt`;
  const saved = await saveDocument(trx, ref, {
    body,
    author: principal.name,
    expected: expected ?? current.revision,
    note,
  });
  return { ok: true as const, revision: saved, message: note };
}

/** An older state of rules or mappings moves limits of prices as a save of them does. */
async function guardRestored(
  trx: Trx,
  principal: Principal,
  { subject, scope }: { subject: DocumentSubject; scope: string },
  body: string,
): Promise<void> {
  const [, masterid] = /^master:(.+)$/.exec(scope) ?? [];
  if (masterid === undefined) return;
  if (subject === 'rules') await guardLimits(trx, principal, masterid, { rules: Rules.parse(JSON.parse(body)) });
  if (subject === 'mappings')
    await guardLimits(trx, principal, masterid, { mappings: Mapping.array().parse(JSON.parse(body)) });
}

const notRestorable = () =>
  unprocessable(
    'not_restorable',
    'Freigaben sind Entscheidungen und lassen sich nicht wiederherstellen. Einen älteren Stand setzen Sie beim Import oder beim Export wieder in Kraft.',
  );

/** The name of the catalogue or export that a scope belongs to; 404 if the company has no such thing. */
async function ownerOf(trx: Trx, company: string, scope: string): Promise<string> {
  const [, kind, id = ''] = /^(master|export):([A-Za-z0-9]{1,40})$/.exec(scope) ?? [];
  if (kind === 'export') return (await loadExport(trx, company, id)).settings.name;
  if (kind === 'master') return (await loadMaster(trx, company, id)).name;
  throw notFound('Dieses Dokument');
}

/** undefined for what lies in the trash. */
const ownerIfThere = (...asked: Parameters<typeof ownerOf>): Promise<string | undefined> =>
  ownerOf(...asked).catch((error: unknown) => {
    if (error instanceof KontorError && error.status === 404) return undefined;
    throw error;
  });

/** Of a page of saves those that are compared at once: small ones, and not too many bytes in all. */
function comparable(saved: readonly SavedRevision[]): SavedRevision[] {
  let left = PAGE_BYTES;
  return saved.filter(({ bytes }) => {
    if (bytes > LARGE || bytes > left) return false;
    left -= bytes;
    return true;
  });
}

function described(
  subject: DocumentSubject,
  { revision, author, createdAt, note }: SavedRevision,
  states: { body: string; before: string | undefined } | undefined,
): Revision {
  const found = states && comparison(subject, states.before, states.body);
  const changes = found?.changes.length === 0 ? ['Ohne Änderung gespeichert.'] : (found?.changes ?? []);
  return {
    revision,
    author,
    createdAt: createdAt.toISOString(),
    compared: found !== undefined,
    changes: [...(note === null ? [] : [`${note}.`]), ...changes],
    removed: found?.removed ?? [],
  };
}

function partOf(subject: DocumentSubject, older: string, current: string | undefined, part: string): string {
  const put = subjectHistories[subject].withPart?.(older, current, part);
  if (put === undefined) throw notFound('Diesen Teil des Standes');
  return put;
}
