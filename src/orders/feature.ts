import type { Feature } from '#platform/feature.ts';
import { orderActionRoutes, type ActionDeps } from '#orders/actions/routes.ts';
import type { AccountDeps } from '#orders/intake/account-orders.ts';
import { orderIntakeRoutes, type IntakeRouteDeps } from '#orders/intake/routes.ts';
import { duePanel } from '#orders/list/due-panel.ts';
import { orderListRoutes, type ListDeps } from '#orders/list/routes.ts';
import { personRoutes, type PersonDeps } from '#orders/persons/routes.ts';
import { statisticRoutes, type StatisticDeps } from '#orders/statistics/routes.ts';
import { stockRoutes, type StockRouteDeps } from '#orders/stock/routes.ts';
import { StockWorker } from '#orders/stock/stock-worker.ts';
import { OrderWorker } from './order-worker.ts';

/** Orders of every channel: what comes in, what is done with it, and what the marketplace hears of it, at most once. */
export const orders: Feature<
  AccountDeps & ActionDeps & IntakeRouteDeps & ListDeps & PersonDeps & StatisticDeps & StockRouteDeps
> = {
  name: 'orders',
  routes: (app, deps) => {
    orderIntakeRoutes(app, deps);
    orderListRoutes(app, deps);
    orderActionRoutes(app, deps);
    personRoutes(app, deps);
    statisticRoutes(app, deps);
    stockRoutes(app, deps);
  },
  liveComponents: (deps) => [duePanel(deps)],
  start: (deps) => {
    const worker = new OrderWorker(deps);
    const stock = new StockWorker(deps);
    worker.start();
    stock.start();
    return async () => {
      await Promise.all([worker.close(), stock.close()]);
    };
  },
};
