import type { Feature } from '#platform/feature.ts';
import { accountChannelRoutes } from './account-channels.ts';
import { transferRoutes, type TransferDeps } from './routes.ts';

/** Shows how a channel processed what it received. */
export const transfer: Feature<TransferDeps> = {
  name: 'transfer',
  routes: (app, deps) => {
    transferRoutes(app, deps);
    accountChannelRoutes(app, deps);
  },
};
