import type { FastifyInstance } from 'fastify';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { articlePage, type Chosen } from './articles.ts';
import { statisticOf } from './numbers.ts';
import { dashboardPlace } from './place.ts';
import { articlesOf, namesOf, type DashboardParts } from './rows.ts';
import { addNote, notesOf } from './notes.ts';
import { PageStarts } from './page-starts.ts';
import { priceHistory } from './price-history.ts';
import { sellerKey } from '#repricer/model/read-rule.ts';
import { SellerTables } from './seller-tables.ts';

/** Figures for the repricer's dashboard (RDA). Nothing here changes a price. */
export function dashboardRoutes(app: FastifyInstance, parts: DashboardParts): void {
  const { database, clock } = parts;
  articleRoutes(app, parts);
  noteRoutes(app, parts);
  const tables = new SellerTables(parts);
  route(app, api.repricerStatistic, async ({ who, query: { masterid }, body }) => {
    const { place, statdata, sellerIds, ...own } = await database.company(who.company, async (trx) => {
      const found = await dashboardPlace(trx, who.company, { masterid });
      return { place: found, ...(await statisticOf(trx, found, body, clock.now())) };
    });
    return { statdata, buyboxdata: { ...own, compdata: await tables.of(place) }, sellerIds };
  });
  route(app, api.sellerNames, async ({ who }) => {
    const { place, names } = await database.company(who.company, async (trx) => ({
      place: await dashboardPlace(trx, who.company, { masterid: undefined }),
      names: await namesOf(trx, who.company),
    }));
    const ids = (await tables.of(place)).map(({ comp_seller_id: id }): [string, string] => [id, id]);
    return Object.fromEntries([...ids, ...names]);
  });
  route(app, api.articlePrices, ({ who, params: { sellerid, articleId }, query: { masterid, ...asked } }) =>
    database.company(who.company, async (trx) => {
      const place = await dashboardPlace(trx, who.company, { masterid, sellerid });
      const { marketplace, start, end } = asked;
      return priceHistory(trx, place, { item: articleId, marketplace, start, end }, clock.now());
    }),
  );
}

function articleRoutes(app: FastifyInstance, parts: DashboardParts): void {
  const starts = new PageStarts(parts.clock);
  type Asked = { masterid: string | undefined; sellerid: string; offset: number; limit: number; signal: AbortSignal };
  const page = async (company: string, chosen: Chosen, { masterid, sellerid, offset, limit, signal }: Asked) => {
    const { rows, total } = await parts.database.company(company, async (trx) =>
      articlePage(trx, await dashboardPlace(trx, company, { masterid, sellerid }), chosen, { offset, limit }, starts),
    );
    return { data: await articlesOf(parts, company, rows, signal), total };
  };
  route(app, api.repricedArticles, async ({ who, params: { sellerid }, query, signal }) => {
    const { masterid, offset, limit } = query;
    const { data, total } = await page(who.company, { kind: 'all' }, { masterid, sellerid, offset, limit, signal });
    const finished = data.length < limit || offset + data.length >= total;
    return { data, total: Math.max(total, offset + data.length), finished, pageCount: Math.ceil(total / limit) };
  });
  route(app, api.articlesOfCompetitor, async ({ who, params: { sellerid, competitor }, query, signal }) => {
    const { masterid, offset, limit } = query;
    const chosen = { kind: 'rival' as const, seller: sellerKey(competitor) };
    return (await page(who.company, chosen, { masterid, sellerid, offset, limit, signal })).data;
  });
  route(app, api.articlesOfRank, async ({ who, params: { sellerid, rank }, query, signal }) => {
    const { masterid, offset, limit } = query;
    return (await page(who.company, { kind: 'rank', rank }, { masterid, sellerid, offset, limit, signal })).data;
  });
}

function noteRoutes(app: FastifyInstance, { database, clock }: DashboardParts): void {
  route(app, api.notes, ({ who }) => database.company(who.company, (trx) => notesOf(trx, who.company)));
  route(app, api.addNote, async ({ who, body }) => {
    const how = { author: who.name, now: clock.now() };
    await database.company(who.company, (trx) => addNote(trx, who.company, body, how));
    return { note: body };
  });
}
