import { waitingPrices } from '#repricer/control/header-counts.ts';
import type { FastifyInstance } from 'fastify';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { figuresOf } from './figures.ts';
import { MinuteCache } from './minute-cache.ts';
import { articlePage, type ArticleRow, type Chosen } from './articles.ts';
import { sellersOf, statisticOf } from './numbers.ts';
import { dashboardPlace } from './place.ts';
import { articlesOf, namesOf, type DashboardDeps } from './rows.ts';
import { addNote, deleteNote, notesOf } from './notes.ts';
import type { ArchiveDeps } from '#repricer/archive/archive-file.ts';
import { ruleChange } from './rule-change.ts';
import { PageStarts } from './page-starts.ts';
import { priceHistory } from './price-history.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';

/** The embedded database has one connection: other requests run between two batches of a long list. */
const ROWS_AT_ONCE = 1000;

/** Registers the routes of the repricer's dashboard (RDA). Nothing here changes a price. */
export function dashboardRoutes(
  app: FastifyInstance,
  deps: DashboardDeps & ArchiveDeps,
  rowsAtOnce = ROWS_AT_ONCE,
): void {
  const { database, clock } = deps;
  articleRoutes(app, deps, rowsAtOnce);
  noteRoutes(app, deps);
  ruleChangeRoute(app, deps);
  const tables = new MinuteCache(clock, (ref) => database.company(ref.company, (trx) => sellersOf(trx, ref)));
  const figures = new MinuteCache(clock, (ref) => figuresOf(deps, ref));
  route(app, api.repricerStatistic, async ({ principal, query: { masterid }, body }) => {
    const { place, statdata, sellerIds, ...own } = await database.company(principal.company, async (trx) => {
      const dashboard = await dashboardPlace(trx, principal.company, { masterid });
      return { place: dashboard, ...(await statisticOf(trx, dashboard, body, clock.now())) };
    });
    return { statdata, buyboxdata: { ...own, compdata: await tables.of(place) }, sellerIds };
  });
  route(app, api.sellerNames, async ({ principal }) => {
    const { place, names } = await database.company(principal.company, async (trx) => ({
      place: await dashboardPlace(trx, principal.company, { masterid: undefined }),
      names: await namesOf(trx, principal.company),
    }));
    const ids = (await tables.of(place)).map(({ comp_seller_id: id }): [string, string] => [id, id]);
    return Object.fromEntries([...ids, ...names]);
  });
  route(app, api.repricerFigures, async ({ principal, params: { sellerid }, query: { masterid } }) => {
    const ref = await database.company(principal.company, (trx) =>
      dashboardPlace(trx, principal.company, { masterid, sellerid }),
    );
    return figures.of(ref);
  });
  route(app, api.articlePrices, ({ principal, params: { sellerid, articleId }, query: { masterid, ...query } }) =>
    database.company(principal.company, async (trx) => {
      const ref = await dashboardPlace(trx, principal.company, { masterid, sellerid });
      const { marketplace, start, end } = query;
      return priceHistory(trx, ref, { item: articleId, marketplace, start, end }, clock.now());
    }),
  );
}

function ruleChangeRoute(app: FastifyInstance, deps: DashboardDeps & ArchiveDeps): void {
  route(app, api.ruleChange, ({ principal: { company }, params: { masterid, number }, query: { days }, signal }) =>
    ruleChange(deps, { company, masterid }, { revision: number, days, now: deps.clock.now() }, signal),
  );
}

function articleRoutes(app: FastifyInstance, deps: DashboardDeps, rowsAtOnce: number): void {
  const starts = new PageStarts(deps.clock);
  type PageRequest = {
    masterid: string | undefined;
    sellerid: string;
    offset: number;
    limit: number;
    signal: AbortSignal;
  };
  const page = async (company: string, chosen: Chosen, { masterid, sellerid, offset, limit, signal }: PageRequest) => {
    const place = await deps.database.company(company, (trx) => dashboardPlace(trx, company, { masterid, sellerid }));
    const rows: ArticleRow[] = [];
    for (;;) {
      const piece = { offset: offset + rows.length, limit: Math.min(rowsAtOnce, limit - rows.length) };
      const found = await deps.database.company(company, (trx) => articlePage(trx, place, chosen, piece, starts));
      rows.push(...found.rows);
      if (found.rows.length < piece.limit || rows.length >= limit)
        return { data: await articlesOf(deps, company, rows, signal), total: found.total };
      signal.throwIfAborted();
    }
  };
  route(app, api.repricedArticles, async ({ principal, params: { sellerid }, query, signal }) => {
    const { masterid, offset, limit } = query;
    const { data, total } = await page(
      principal.company,
      { kind: 'all' },
      { masterid, sellerid, offset, limit, signal },
    );
    const finished = data.length < limit || offset + data.length >= total;
    // Articles added since the first chunk count; a chunk after the last one is empty.
    const seen = data.length === 0 ? 0 : offset + data.length;
    return { data, total: Math.max(total, seen), finished, pageCount: Math.ceil(total / limit) };
  });
  route(app, api.articlesOfCompetitor, async ({ principal, params: { sellerid, competitor }, query, signal }) => {
    const { masterid, offset, limit } = query;
    const chosen = { kind: 'rival' as const, seller: sellerKey(competitor) };
    return (await page(principal.company, chosen, { masterid, sellerid, offset, limit, signal })).data;
  });
  route(app, api.articlesOfRank, async ({ principal, params: { sellerid, rank }, query, signal }) => {
    const { masterid, offset, limit } = query;
    return (await page(principal.company, { kind: 'rank', rank }, { masterid, sellerid, offset, limit, signal })).data;
  });
}

function noteRoutes(app: FastifyInstance, { database, clock }: DashboardDeps): void {
  route(app, api.waitingPrices, ({ principal }) =>
    database.company(principal.company, (trx) => waitingPrices(trx, principal.company)),
  );
  route(app, api.notes, ({ principal }) =>
    database.company(principal.company, (trx) => notesOf(trx, principal.company)),
  );
  route(app, api.addNote, async ({ principal, body }) => {
    const how = { author: principal.name, now: clock.now() };
    await database.company(principal.company, (trx) => addNote(trx, principal.company, body, how));
    return { note: body };
  });
  route(app, api.deleteNote, async ({ principal, params }) => {
    await database.company(principal.company, (trx) => deleteNote(trx, principal.company, params.note));
    return { ok: true as const };
  });
}
