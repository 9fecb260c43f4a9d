import { type Page, pages } from '#shared/pages.ts';
import { pathTo } from '../../address.ts';
import type { RuleScope } from './rule-scope.ts';

const explainPage: Page = Object.entries<Page>(pages).find(([name]) => name === 'explain')?.[1] ?? pages.item;

/** Where it is explained, stage by stage, how an item comes to its values. */
export function explainPath(scope: RuleScope, masterid: string, itemid: string): string {
  const path = pathTo(explainPage, { masterid, itemid });
  return scope.kind === 'export' ? `${path}?export=${encodeURIComponent(scope.id)}` : path;
}
