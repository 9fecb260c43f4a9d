import { generatePath, matchRoutes } from 'react-router';
import { type Page, pages } from '#shared/pages.ts';

/** The address of a screen with its parameters filled in. @throws if one that must be there is missing */
export function pathTo(page: Page, params: Readonly<Record<string, string>> = {}): string {
  return generatePath<string>(page.path, params);
}

const routes = Object.values(pages).map(({ path }) => ({ path }));

/** Whether an address shows this screen with these parameters: the router's own choice where a path below a screen is another one's. */
export function isAt(pathname: string, page: Page, params: Readonly<Record<string, string>>): boolean {
  const found = matchRoutes(routes, pathname)?.at(-1);
  return (
    found?.route.path === page.path && Object.entries(params).every(([name, value]) => found.params[name] === value)
  );
}
