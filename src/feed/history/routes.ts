import type { FastifyInstance } from 'fastify';
import { api } from '#shared/http/api.ts';
import { subjectNames, type DocumentSubject, type Revision, type RevisionContent } from '#shared/history/schema.ts';
import { loadExport } from '#catalogue/exports.ts';
import { loadMaster } from '#catalogue/masters.ts';
import type { Database, Trx } from '#platform/db/database.ts';
import {
  listActivity,
  listRevisions,
  loadDocument,
  saveDocument,
  type Document,
  type Revision as SavedRevision,
} from '#platform/db/documents.ts';
import { KontorError, notAllowed, notFound, unprocessable } from '#platform/errors.ts';
import { route } from '#platform/http/server.ts';
import { subjectHistories } from './subjects.ts';

/** The history of every document: who saved what and when, any state seen again and brought back. */
export function historyRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.revisions, async ({ principal, params, query }) => {
    const saved = await database.company(principal.company, async (trx) => {
      await ownerOf(trx, principal.company, params.scope);
      return listRevisions(trx, { company: principal.company, ...params }, query);
    });
    return saved.map((revision) => described(params.subject, revision));
  });

  route(app, api.revision, ({ principal, params }) =>
    database.company(principal.company, async (trx) => {
      await ownerOf(trx, principal.company, params.scope);
      const newest = await loadDocument(trx, principal.company, params.subject, params.scope);
      if (params.revision === 'latest') return content(newest, []);
      const older = await loadDocument(trx, principal.company, params.subject, params.scope, params.revision);
      if (older.body === undefined) throw notFound('Diesen Stand');
      return content(older, subjectHistories[params.subject].changes(newest.body, older.body));
    }),
  );

  route(app, api.restore, ({ principal, params, body, ifMatch }) =>
    database.company(principal.company, async (trx) => {
      await ownerOf(trx, principal.company, params.scope);
      // Who may not set prices by the rules' own call may not do so by an older state of them either.
      if (pricing.has(params.subject) && !principal.permissions.includes('prices')) throw notAllowed();
      return restore(
        trx,
        { company: principal.company, ...params },
        { ...body, author: principal.name, expected: ifMatch },
      );
    }),
  );

  route(app, api.activity, ({ principal, query }) =>
    database.company(principal.company, async (trx) => {
      const saved = await listActivity(trx, principal.company, query);
      const owners = new Map<string, string>();
      for (const { scope } of saved) {
        if (!owners.has(scope)) owners.set(scope, await ownerOf(trx, principal.company, scope));
      }
      return saved.flatMap((revision) => {
        const subject = subjectNames.find((name) => name === revision.subject);
        if (subject === undefined) return [];
        const { scope } = revision;
        return [{ ...described(subject, revision), subject, scope, owner: owners.get(scope) ?? '' }];
      });
    }),
  );
}

/** Subjects that prices depend on: saving them needs the permission for that. */
const pricing: ReadonlySet<string> = new Set(['repricer', 'price_safety'] satisfies DocumentSubject[]);

function content({ revision, author, createdAt, body }: Document, back: string[]): RevisionContent {
  const saved: unknown = body === undefined ? null : JSON.parse(body);
  return { revision, author, createdAt: createdAt?.toISOString() ?? null, content: saved, back };
}

type Wanted = { revision: number; part?: string | undefined; author: string; expected: number | undefined };

/** An older state, or one part of it, becomes the newest one; nothing in between is lost. */
async function restore(
  trx: Trx,
  place: { company: string; subject: DocumentSubject; scope: string },
  { revision, part, author, expected }: Wanted,
) {
  const { company, subject, scope } = place;
  if (subject === 'releases') throw notRestorable();
  const older = await loadDocument(trx, company, subject, scope, revision);
  if (older.body === undefined) throw notFound('Diesen Stand');
  const current = await loadDocument(trx, company, subject, scope);
  const body = part === undefined ? older.body : partOf(subject, older.body, current.body, part);
  if (body === current.body) {
    throw new KontorError(409, 'nothing_to_restore', 'Der heutige Stand ist schon derselbe. Es wurde nichts geändert.');
  }
  const refusal = subjectHistories[subject].refusal?.(current.body, body);
  if (refusal !== undefined) throw unprocessable('less_safe', refusal);
  const note = part === undefined ? `Stand ${revision} wiederhergestellt` : `Aus Stand ${revision} zurückgeholt`;
  const saved = await saveDocument(trx, place, { body, author, expected: expected ?? current.revision, note });
  return { ok: true as const, revision: saved, message: note };
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

function described(
  subject: DocumentSubject,
  { revision, author, createdAt, note, body, before }: SavedRevision,
): Revision {
  const history = subjectHistories[subject];
  const changes = history.changes(before, body);
  return {
    revision,
    author,
    createdAt: createdAt.toISOString(),
    changes: [
      ...(note === null ? [] : [`${note}.`]),
      ...(changes.length === 0 ? ['Ohne Änderung gespeichert.'] : changes),
    ],
    removed: history.removed(before, body),
  };
}

function partOf(subject: DocumentSubject, older: string, current: string | undefined, part: string): string {
  const put = subjectHistories[subject].withPart?.(older, current, part);
  if (put === undefined) throw notFound('Diesen Teil des Standes');
  return put;
}
