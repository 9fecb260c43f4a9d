import type { Feature } from '#platform/feature.ts';
import { exampleRoutes } from './example-routes.ts';
import type { ExampleDeps } from './examples.ts';
import { accountRoutes } from './routes.ts';
import type { SecurityLogRouteDeps } from './security-log-routes.ts';
import { type ViewDeps, viewRoutes } from './view-routes.ts';

/** Sign-in, members, API tokens and saved views of a company, and the examples of a first start. */
export const company: Feature<SecurityLogRouteDeps & ExampleDeps & ViewDeps> = {
  name: 'company',
  routes: (app, deps) => {
    accountRoutes(app, deps);
    exampleRoutes(app, deps);
    viewRoutes(app, deps);
  },
};
