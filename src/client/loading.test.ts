import { describe, expect, it } from 'vitest';
import { safeBack, searchOf, signInPath } from './loading.ts';

describe('the way to the sign-in page and back', () => {
  it('keeps the page that the visitor wanted, also when only its data was requested', () => {
    expect(signInPath({ pathname: '/konto.data', search: '' })).toBe('/login?zurueck=%2Fkonto');
    expect(signInPath({ pathname: '/', search: '' })).toBe('/login');
    expect(signInPath({ pathname: '/konto.data', search: '?_routes=shell%2Ckonto' })).toBe('/login?zurueck=%2Fkonto');
    expect(searchOf({ search: '?tage=30&_routes=shell%2Crepricer' })).toBe('?tage=30');
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', null])(
    'never leads to a foreign site: %s',
    (wanted) => expect(safeBack(wanted)).toBe('/'),
  );

  it('leads back to a page of this site', () => expect(safeBack('/exports/e1?a=b')).toBe('/exports/e1?a=b'));
});
