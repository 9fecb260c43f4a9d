import type { Feature } from '#platform/feature.ts';
import { actionFigures } from '#orders/actions/action-figures.ts';
import { orderActionRoutes, type ActionDeps } from '#orders/actions/routes.ts';
import type { AccountDeps } from '#orders/intake/account-orders.ts';
import { orderIntakeRoutes, type IntakeRouteDeps } from '#orders/intake/routes.ts';
import { fetchRatesWhenDue, type RatesDeps } from '#orders/exchange-rates/fetch-rates.ts';
import { rateRoutes } from '#orders/exchange-rates/routes.ts';
import { duePanel } from '#orders/list/due-panel.ts';
import { orderListRoutes, type ListDeps } from '#orders/list/routes.ts';
import { personRoutes, type PersonDeps } from '#orders/persons/routes.ts';
import { bestSellers } from '#orders/statistics/best-sellers.ts';
import { statisticRoutes, type StatisticDeps } from '#orders/statistics/routes.ts';
import { stockRoutes, type StockRouteDeps } from '#orders/stock/routes.ts';
import { StockWorker } from '#orders/stock/stock-worker.ts';
import type { ServingDeps } from '#marketplaces/accounts/accounts.ts';
import { NOT_URGENT_MS, WorkLoops } from '#platform/work-loops.ts';
import { OrderWorker } from './order-worker.ts';

/** Orders of every channel: their intake, actions on them, and the report of each action to the marketplace, at most once. */
export const orders: Feature<
  AccountDeps &
    ServingDeps &
    ActionDeps &
    IntakeRouteDeps &
    ListDeps &
    PersonDeps &
    RatesDeps &
    StatisticDeps &
    StockRouteDeps
> = {
  name: 'orders',
  routes: (app, deps) => {
    orderIntakeRoutes(app, deps);
    orderListRoutes(app, deps);
    orderActionRoutes(app, deps);
    personRoutes(app, deps);
    statisticRoutes(app, deps);
    rateRoutes(app, deps);
    stockRoutes(app, deps);
  },
  liveComponents: (deps) => [duePanel(deps), bestSellers(deps)],
  figures: [actionFigures],
  start: (deps) => {
    const worker = new OrderWorker(deps);
    const stock = new StockWorker(deps);
    worker.start();
    stock.start();
    const rates = new WorkLoops({
      ...deps,
      failure: 'exchange rates could not be updated',
      settleMs: NOT_URGENT_MS,
    });
    rates.start([() => fetchRatesWhenDue(deps)]);
    return async () => {
      await Promise.all([worker.close(), stock.close(), rates.close()]);
    };
  },
};
