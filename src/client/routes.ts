import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { getAppDirectory, layout, route, type RouteConfig } from '@react-router/dev/routes';
import { pages } from '../shared/pages.ts';

/** A page listed before its screen is written has no route yet: its address answers 404. */
const written = Object.entries(pages).filter(([, page]) =>
  existsSync(join(getAppDirectory(), `screens/${page.screen}.tsx`)),
);

const routeOf = ([id, page]: (typeof written)[number]) => route(page.path, `screens/${page.screen}.tsx`, { id });

export default [
  ...written.filter(([id]) => id === 'login').map(routeOf),
  layout('shell/shell.tsx', { id: 'shell' }, [
    layout('shell/page.tsx', [
      ...written.filter(([id]) => id !== 'login').map(routeOf),
      route('*', 'shell/unknown.tsx'),
    ]),
  ]),
] satisfies RouteConfig;
