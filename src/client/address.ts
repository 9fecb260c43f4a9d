import { generatePath, matchRoutes } from 'react-router';
import { fromSegment, toSegment } from '#shared/http/path-segment.ts';
import { type Page, pages } from '#shared/pages.ts';

/** Returns the address of a screen with its parameters filled in. @throws if a required parameter is missing */
export function pathTo(page: Page, params: Readonly<Record<string, string>> = {}): string {
  const segments = Object.entries(params).map(([name, value]) => [name, toSegment(value)]);
  return generatePath<string>(page.path, Object.fromEntries(segments));
}

/** Reads a parameter of a screen's address. */
export const paramOf = (params: Readonly<Record<string, string | undefined>>, name: string): string =>
  fromSegment(params[name] ?? '');

const routes = Object.values(pages).map(({ path }) => ({ path }));

/** Returns the screen that an address shows; undefined if there is none. */
export function pageAt(pathname: string): Page | undefined {
  const found = matchRoutes(routes, pathname)?.at(-1)?.route.path;
  return Object.values(pages).find(({ path }) => path === found);
}

/**
 * Tells whether an address shows this screen with these parameters. Uses the router's own matching, because a path below a screen
 * may belong to another screen.
 */
export function isAt(pathname: string, page: Page, params: Readonly<Record<string, string>>): boolean {
  const found = matchRoutes(routes, pathname)?.at(-1);
  return (
    found?.route.path === page.path && Object.entries(params).every(([name, value]) => found.params[name] === value)
  );
}
