import type { Feature } from '#platform/feature.ts';
import { Dispatcher, type DispatchDeps } from './dispatch.ts';
import { scheduleFigures } from './schedule-figures.ts';
import { scheduleRoutes, type ScheduleDeps } from './routes.ts';

/** Runs imports and exports on a schedule. */
export const schedule: Feature<ScheduleDeps & DispatchDeps & { readonly lookEveryMs: number }> = {
  name: 'schedule',
  routes: scheduleRoutes,
  figures: [scheduleFigures],
  start: (deps) => {
    const dispatcher = new Dispatcher(deps);
    dispatcher.start(deps.lookEveryMs);
    return () => dispatcher.close();
  },
};
