import type { DocumentSubject } from '#shared/history/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** Returns the path of the screen on which a document is edited. `scope` is `master:<id>` or `export:<id>`. */
export function editorPath(subject: DocumentSubject, scope: string): string {
  const [kind, id = ''] = scope.split(':');
  switch (subject) {
    case 'rules':
      return kind === 'master' ? pathTo(pages.masterRules, { masterid: id }) : pathTo(pages.exportRules, { id });
    case 'construction':
      return pathTo(pages.construction, { id });
    case 'attributes':
      return pathTo(pages.attributes, { id });
    case 'difference':
    case 'releases':
    case 'schedule':
    case 'stock_schedule':
      return kind === 'master' ? pathTo(pages.import, { masterid: id }) : pathTo(pages.exportSettings, { id });
    case 'upload':
    case 'settings':
      return pathTo(pages.exportSettings, { id });
    case 'columns':
      return pathTo(pages.items, { masterid: id });
    case 'mappings':
      return pathTo(pages.mappings, { masterid: id });
    case 'categories':
    case 'category_targets':
      return pathTo(pages.categories, { id });
    case 'brands':
    case 'brand_targets':
      return pathTo(pages.brands, { id });
    case 'colors':
    case 'color_targets':
      return pathTo(pages.colors, { id });
    case 'repricer':
    case 'price_safety':
      return pathTo(pages.repricer, { masterid: id });
    case 'stock':
      return `${pages.stock.path}?katalog=${encodeURIComponent(id)}`;
  }
}

export function historyPath(subject: DocumentSubject, scope: string): string {
  return pathTo(pages.history, { subject, scope });
}
