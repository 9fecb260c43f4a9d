import type { FastifyInstance } from 'fastify';
import type { Database } from '#platform/db/database.ts';
import { route } from '#platform/http/server.ts';
import { api } from '#shared/http/api.ts';
import { orderStatistic } from './statistic.ts';

export type StatisticDeps = { database: Database };

/** Registers the routes of order statistics (ORD). */
export function statisticRoutes(app: FastifyInstance, { database }: StatisticDeps): void {
  route(app, api.orderStatistic, ({ principal, body }) =>
    database.company(principal.company, (trx) => orderStatistic(trx, principal.company, body)),
  );
}
