import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { subjectNames, type DocumentSubject, type Revision, type RevisionContent } from '#shared/history/schema.ts';
import type { Database } from '#platform/db/database.ts';
import {
  listActivity,
  listRevisions,
  loadContents,
  loadDocument,
  type Document,
  type Revision as SavedRevision,
} from '#platform/db/documents.ts';
import { notFound } from '#platform/errors.ts';
import { route, type Principal } from '#platform/http/server.ts';
import { compare, LARGE } from './compare.ts';
import { type Comparison, comparison, saveSentences } from './comparison.ts';
import { hasOwner, ownerIfThere, ownerOf } from './document-owner.ts';
import { type HistoryDeps, restorable, restoreRoute } from './restore.ts';

/** The most bytes of all states that one page compares. */
const PAGE_BYTES = 2_000_000;

/** The history of every document: who saved what and when; shows and restores any state. */
export function historyRoutes(app: FastifyInstance, deps: HistoryDeps): void {
  const { database } = deps;
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
  restoreRoute(app, deps);

  route(app, api.activity, ({ principal, query }) =>
    database.company(principal.company, async (trx) => {
      // Revisions without an owner must not be counted: a page would be short, and clients would take it for the last one.
      const saved = await listActivity(trx, principal.company, query, hasOwner);
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

/** Routes for one stored state: its content, and what it changed. */
function stateRoutes(app: FastifyInstance, database: Database): void {
  route(app, api.revision, async ({ principal, params, signal }) => {
    const { company } = principal;
    const { newest, older } = await database.company(company, async (trx) => {
      await ownerOf(trx, company, params.scope);
      const load = (revision?: number) => loadDocument(trx, company, params.subject, params.scope, revision);
      return { newest: await load(), older: params.revision === 'latest' ? undefined : await load(params.revision) };
    });
    if (older === undefined) return content(newest, { back: [], same: true, newest: newest.revision }, principal);
    if (older.body === undefined) throw notFound('Diesen Stand');
    const { body } = restorable(params.subject, newest.body, older.body);
    const { changes } = await compare({ subject: params.subject, before: newest.body, after: body }, principal, signal);
    return content(older, { back: changes, same: body === newest.body, newest: newest.revision }, principal);
  });

  route(app, api.revisionChanges, async ({ principal, params, signal }) => {
    const { company } = principal;
    const { subject, scope, number: revision } = params;
    const found = await database.company(company, async (trx) => {
      await ownerOf(trx, company, scope);
      return (await loadContents(trx, company, [{ subject, scope, revision }]))({ subject, scope, revision });
    });
    if (found === undefined) throw notFound('Diesen Stand');
    if (lacksBefore(revision, found)) return { changes: BEFORE_GONE.changes, removed: [] };
    const whole = await compare({ subject, before: found.before, after: found.body }, principal, signal);
    return { changes: saveSentences(whole), removed: whole.removed };
  });
}

function content(
  { revision, author, createdAt, body }: Document,
  restoring: Pick<RevisionContent, 'back' | 'same' | 'newest'>,
  principal: Pick<Principal, 'name'>,
): RevisionContent {
  const saved: unknown = body === undefined ? null : JSON.parse(body);
  return {
    revision,
    author,
    own: author === principal.name,
    createdAt: createdAt?.toISOString() ?? null,
    content: saved,
    ...restoring,
  };
}

/** The saves of a page that are compared at once: only small ones, up to PAGE_BYTES in all. */
function comparable(saved: readonly SavedRevision[]): SavedRevision[] {
  let left = PAGE_BYTES;
  return saved.filter(({ bytes }) => {
    if (bytes > LARGE || bytes > left) return false;
    left -= bytes;
    return true;
  });
}

/** Whether the state before is no longer stored. Its changes are then unknown: the state did not add all that it contains. */
const lacksBefore = (revision: number, states: { before: string | undefined }): boolean =>
  revision > 1 && states.before === undefined;
const BEFORE_GONE: Comparison = {
  changes: ['Der Stand davor wird nicht mehr aufbewahrt.'],
  removed: [],
  same: false,
};

function described(
  subject: DocumentSubject,
  { revision, author, createdAt, note }: SavedRevision,
  states: { body: string; before: string | undefined } | undefined,
): Revision {
  const found =
    states && (lacksBefore(revision, states) ? BEFORE_GONE : comparison(subject, states.before, states.body));
  // A note says what the save changed outside the document.
  const silent = found === undefined || (found.same && note !== null);
  return {
    revision,
    author,
    createdAt: createdAt.toISOString(),
    compared: found !== undefined,
    changes: [...(note === null ? [] : [`${note}.`]), ...(silent ? [] : saveSentences(found))],
    removed: found?.removed ?? [],
  };
}
