import { describe, expect, it } from 'vitest';
import type { Master } from '#shared/masters/schema.ts';
import { lastUsedOf } from '#shared/http/cookies.ts';
import { activeOf, switchedPages } from './active.ts';

const master = (masterid: string, exports: string[]): Master => ({
  masterid,
  name: masterid,
  items: 0,
  fields: 0,
  snapshot: null,
  importedAt: null,
  key: null,
  lastRun: null,
  exports: exports.map((id) => ({ id, name: id, channel: '' })),
  accounts: [{ id: `${masterid}-konto`, name: 'Konto' }],
});
const masters = [master('m1', ['e1', 'e2']), master('m2', ['e3'])];
const none = { masterid: '', exportId: '' };
const idsOf = ({ master: found, exportId }: ReturnType<typeof activeOf>) => [found?.masterid, exportId];

describe('the active catalogue and export', () => {
  it('are those of the address; an export determines its catalogue', () => {
    expect(idsOf(activeOf(masters, { masterid: 'm2' }, none))).toEqual(['m2', 'e3']);
    expect(idsOf(activeOf(masters, { id: 'e3' }, { masterid: 'm1', exportId: 'e2' }))).toEqual(['m2', 'e3']);
  });

  it('are otherwise the last ones used, or else the first', () => {
    expect(idsOf(activeOf(masters, {}, lastUsedOf('a=b; kontor_zuletzt=m1.e2')))).toEqual(['m1', 'e2']);
    expect(idsOf(activeOf(masters, {}, { masterid: 'weg', exportId: 'weg' }))).toEqual(['m1', 'e1']);
    expect(idsOf(activeOf([], {}, none))).toEqual([undefined, null]);
  });
});

it('switching the catalogue or the export stays on the same kind of screen if it has one', () => {
  const titles = (pathname: string) => {
    const { ofMaster, ofExport } = switchedPages(pathname);
    return [ofMaster.title, ofExport.title];
  };
  expect(titles('/master/m1/mappings/Farben0001')).toEqual(['Mappings', 'Export']);
  expect(titles('/master/m1/shop-mappings')).toEqual(['Shopsystem-Mappings', 'Export']);
  expect(titles('/repricer/m1/dashboard')).toEqual(['Repricer-Dashboard', 'Export']);
  expect(titles('/master/m1/artikel/a%2F1')).toEqual(['Artikel', 'Export']);
  expect(titles('/exports/e1/kategorien')).toEqual(['Artikel', 'Kategorien']);
  expect(titles('/exports/e1/regeln/abc')).toEqual(['Artikel', 'Regeln']);
  expect(titles('/verlauf')).toEqual(['Artikel', 'Export']);
});
