import type { FastifyInstance } from 'fastify';
import type { Ids } from '#platform/ids.ts';
import { dashboardRoutes } from '#repricer/dashboard/routes.ts';
import type { DashboardParts } from '#repricer/dashboard/rows.ts';
import { priceRoutes } from './price-routes.ts';
import { repricerRuleRoutes } from '#repricer/rules/rule-routes.ts';
import { switchRoutes } from '#repricer/control/switch-routes.ts';

/** Every call of the repricer. */
export function repricerRoutes(app: FastifyInstance, parts: DashboardParts & { ids: Ids }): void {
  repricerRuleRoutes(app, parts);
  switchRoutes(app, parts);
  priceRoutes(app, parts);
  dashboardRoutes(app, parts);
}
