import type { Feature } from '#platform/feature.ts';
import { channelRoutes } from './channels/channel-routes.ts';
import { itemRoutes, type ItemDeps } from './routes.ts';

/** Items of a catalogue, and the channels that have a template. */
export const catalogue: Feature<ItemDeps> = {
  name: 'catalogue',
  routes: (app, deps) => {
    itemRoutes(app, deps);
    channelRoutes(app);
  },
};
