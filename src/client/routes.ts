import { layout, route, type RouteConfig } from '@react-router/dev/routes';
import { type Page, pages } from '#shared/pages.ts';

const entries: [string, Page][] = Object.entries(pages);
const routeOf = ([id, page]: (typeof entries)[number]) => route(page.path, `screens/${page.screen}.tsx`, { id });

export default [
  ...entries.filter(([, page]) => page.frame === 'none').map(routeOf),
  layout('shell/shell.tsx', { id: 'shell' }, [
    layout('shell/page.tsx', [
      ...entries.filter(([, page]) => page.frame !== 'none').map(routeOf),
      route('*', 'shell/unknown.tsx'),
    ]),
  ]),
] satisfies RouteConfig;
