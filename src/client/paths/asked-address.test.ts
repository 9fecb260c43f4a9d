import { describe, expect, it } from 'vitest';
import { askedSearch } from './asked-address.ts';

const shown = { pathname: '/bestand', search: '?katalog=a' };

describe('the address that a change builds on', () => {
  it('is the one under way on the same screen, so that a filter keeps a search whose page still loads', () => {
    expect(askedSearch(shown, { pathname: '/bestand', search: '?katalog=a&suche=schal' })).toBe(
      '?katalog=a&suche=schal',
    );
  });

  it('is the one shown where nothing is under way or another screen is asked for', () => {
    expect(askedSearch(shown, undefined)).toBe('?katalog=a');
    expect(askedSearch(shown, { pathname: '/bestellungen', search: '?suche=7' })).toBe('?katalog=a');
  });
});
