import type { Fix } from '#shared/diagnosis/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { explainPath } from './explain-path.ts';
import { pricePath } from '#client/fields/prices/price-path.ts';

/** Returns where a problem can be fixed, with a label for the link. */
export function fixPath(fix: Fix, { id, masterid }: { id: string; masterid: string }): { to: string; label: string } {
  if (fix.kind === 'mapping')
    return { to: pathTo(pages.mappings, { masterid, mappingid: fix.mappingid }), label: 'Im Mapping beheben' };
  if (fix.kind === 'settings')
    return { to: pathTo(pages.exportSettings, { id }), label: 'In den Einstellungen beheben' };
  if (fix.kind === 'table')
    return { to: pathTo(pages[fix.table], { id }), label: `Unter ${pages[fix.table].title} beheben` };
  if (fix.kind === 'explain')
    return {
      to: explainPath(masterid, fix.itemid, { exportId: id, field: fix.field }),
      label: 'Beheben: woher kommt der Wert?',
    };
  if (fix.kind === 'price') return { to: pricePath(masterid, fix.itemid), label: 'Warum dieser Preis?' };
  const search = new URLSearchParams(fix.rowId === null ? { neu: fix.field } : { zeile: fix.rowId });
  return { to: `${pathTo(pages.construction, { id })}?${search.toString()}`, label: 'Im Feldaufbau beheben' };
}
