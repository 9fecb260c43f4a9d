import type { FastifyInstance } from 'fastify';
import type { Ids } from '#platform/ids.ts';
import { priceRoutes } from './price-routes.ts';
import { repricerRuleRoutes } from './rule-routes.ts';
import type { SimulateParts } from './simulate.ts';
import { switchRoutes } from './switch-routes.ts';

/** Every call of the repricer. */
export function repricerRoutes(app: FastifyInstance, parts: SimulateParts & { ids: Ids }): void {
  repricerRuleRoutes(app, parts);
  switchRoutes(app, parts);
  priceRoutes(app, parts);
}
