import type { Feature } from '#platform/feature.ts';
import { accountChannelRoutes } from './account-channels.ts';
import { transferRoutes, type TransferDeps } from './routes.ts';

/** What a channel made of what it was sent. */
export const transfer: Feature<TransferDeps> = {
  name: 'transfer',
  routes: (app, deps) => {
    transferRoutes(app, deps);
    accountChannelRoutes(app, deps);
  },
};
