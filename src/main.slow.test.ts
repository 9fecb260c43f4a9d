import { expect, it } from 'vitest';
import { latePackages, loadedPackages } from '../test/stages/loaded-packages.ts';

it('the program at rest has loaded no library that only some work needs', () => {
  const packages = loadedPackages(new URL('main.ts', import.meta.url).href);
  expect(packages).toContain('fastify');
  expect(packages.filter((name) => latePackages.includes(name))).toEqual([]);
});
