import { generatePath } from 'react-router';
import type { Page } from '#shared/pages.ts';

/** The address of a screen with its parameters filled in. @throws if one that must be there is missing */
export function pathTo(page: Page, params: Readonly<Record<string, string>> = {}): string {
  return generatePath<string>(page.path, params);
}
