import type { FastifyInstance } from 'fastify';
import { dashboardRoutes } from '#repricer/dashboard/routes.ts';
import type { DashboardDeps } from '#repricer/dashboard/rows.ts';
import { priceRoutes } from './price-routes.ts';
import { repricerRuleRoutes } from '#repricer/rules/rule-routes.ts';
import { switchRoutes } from '#repricer/control/switch-routes.ts';

export type RepricerDeps = DashboardDeps & Parameters<typeof priceRoutes>[1];

/** Registers all routes of the repricer. */
export function repricerRoutes(app: FastifyInstance, deps: RepricerDeps): void {
  repricerRuleRoutes(app, deps);
  switchRoutes(app, deps);
  priceRoutes(app, deps);
  dashboardRoutes(app, deps);
}
