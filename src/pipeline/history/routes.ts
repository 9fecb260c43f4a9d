import type { FastifyInstance } from 'fastify';
import { api } from '#shared/api.ts';
import type { Database } from '#platform/db.ts';
import { listRevisions, loadDocument } from '#platform/documents.ts';
import { notFound } from '#platform/errors.ts';
import { route } from '#platform/http.ts';

export function historyRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  route(app, api.revisions, async ({ who, params }) => {
    const all = await database.company(who.company, (trx) =>
      listRevisions(trx, who.company, params.subject, params.scope),
    );
    if (all.length === 0) throw notFound('Dieses Dokument');
    return all.map(({ revision, author, createdAt }) => ({
      revision,
      author,
      createdAt: createdAt.toISOString(),
      changes: [],
      removed: [],
    }));
  });

  route(app, api.revision, async ({ who, params }) => {
    const asked = params.revision === 'latest' ? undefined : params.revision;
    const found = await database.company(who.company, (trx) =>
      loadDocument(trx, who.company, params.subject, params.scope, asked),
    );
    const content: unknown = found.body === undefined ? null : JSON.parse(found.body);
    return { revision: found.revision, author: '', createdAt: null, content };
  });
}
