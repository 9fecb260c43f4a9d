import { layout, route, type RouteConfig } from '@react-router/dev/routes';
import { pages } from '#shared/pages.ts';

const entries = Object.entries(pages);
const routeOf = ([id, page]: (typeof entries)[number]) => route(page.path, `screens/${page.screen}.tsx`, { id });

export default [
  ...entries.filter(([id]) => id === 'login').map(routeOf),
  layout('shell/shell.tsx', { id: 'shell' }, [
    layout('shell/page.tsx', [
      ...entries.filter(([id]) => id !== 'login').map(routeOf),
      route('*', 'shell/unknown.tsx'),
    ]),
  ]),
] satisfies RouteConfig;
