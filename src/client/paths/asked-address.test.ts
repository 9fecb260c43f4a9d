import { describe, expect, it } from 'vitest';
import { askedSearch } from './asked-address.ts';

const shown = { pathname: '/bestand', search: '?katalog=a' };

describe('the address that a change builds on', () => {
  it('is the pending one on the same screen, so that a filter keeps a search that is still loading', () => {
    expect(askedSearch(shown, { pathname: '/bestand', search: '?katalog=a&suche=schal' })).toBe(
      '?katalog=a&suche=schal',
    );
  });

  it('is the shown one if nothing is pending or another screen is', () => {
    expect(askedSearch(shown, undefined)).toBe('?katalog=a');
    expect(askedSearch(shown, { pathname: '/bestellungen', search: '?suche=7' })).toBe('?katalog=a');
  });
});
