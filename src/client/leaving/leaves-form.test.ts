import { describe, expect, it } from 'vitest';
import { leavesForm } from './leaves-form.ts';

const now = { pathname: '/bestand', search: '?katalog=a' };

describe('a form', () => {
  it('is left by another path, unless the path belongs to it', () => {
    const next = { pathname: '/bestand/7', search: '' };
    expect(leavesForm({}, now, next)).toBe(true);
    expect(leavesForm({ staysInForm: (path) => path.startsWith('/bestand/') }, now, next)).toBe(false);
  });

  it('is left on the same path only by a change of the query parameter that it names', () => {
    const form = { leftBy: (search: URLSearchParams) => search.get('katalog') !== 'a' };
    expect(leavesForm(form, now, { ...now, search: '?katalog=b' })).toBe(true);
    expect(leavesForm(form, now, { ...now, search: '?katalog=a&suche=schal' })).toBe(false);
    expect(leavesForm({}, now, { ...now, search: '?katalog=b' })).toBe(false);
  });
});
