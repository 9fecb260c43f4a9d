import type { Feature } from '#platform/feature.ts';
import { accountUpdateRunner } from '#repricer/outbox/account-update.ts';
import { priceFigures } from './price-figures.ts';
import { repricerRoutes, type RepricerDeps } from './routes.ts';
import { RepricerWorker, type WorkerDeps } from './worker.ts';

/** The repricer: from competing offers to a price at the marketplace. */
export const repricer: Feature<RepricerDeps & WorkerDeps> = {
  name: 'repricer',
  routes: repricerRoutes,
  jobs: (deps) => [accountUpdateRunner(deps)],
  figures: [priceFigures],
  start: (deps) => {
    const worker = new RepricerWorker(deps);
    worker.start();
    return () => worker.close();
  },
};
