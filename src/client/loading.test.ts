import { describe, expect, it } from 'vitest';
import { safeBack, signInPath } from './loading.ts';

describe('the way to the sign-in page and back', () => {
  it('keeps where the visitor wanted to go, also when only the data of a page were asked for', () => {
    expect(signInPath({ pathname: '/konto.data', search: '' })).toBe('/login?zurueck=%2Fkonto');
    expect(signInPath({ pathname: '/', search: '' })).toBe('/login');
  });

  it.each(['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', null])(
    'never leads to a foreign site: %s',
    (wanted) => expect(safeBack(wanted)).toBe('/'),
  );

  it('leads back to a page of this site', () => expect(safeBack('/exports/e1?a=b')).toBe('/exports/e1?a=b'));
});
