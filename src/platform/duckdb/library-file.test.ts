import { expect, it } from 'vitest';
import { refuseMissingLibrary } from './library-file.ts';

it('a start finds the library of its own system, and says in German that the one of another is missing', () => {
  expect(() => refuseMissingLibrary()).not.toThrow();
  // No package is published for it.
  expect(() => refuseMissingLibrary({ platform: 'aix', arch: 'ppc64' })).toThrow(
    /fehlt DuckDB für dieses System \(aix-ppc64\).+npm start/,
  );
});
