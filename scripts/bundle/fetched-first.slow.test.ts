import { build, type Plugin } from 'vite';
import { expect, it } from 'vitest';
import { fetchedFirst, screensFetchedFirst } from './fetched-first.ts';

const pageWith = (code: string, changes: Plugin = fetchedFirst()) =>
  build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rolldownOptions: { input: 'page' } },
    plugins: [
      {
        name: 'page',
        resolveId: (id) => (id === 'page' || id.startsWith('/src/') ? `\0${id}` : null),
        load: (id) =>
          id === '\0page' ? code : id.startsWith('\0/src/') ? 'export const fetchFiles = async () => {}' : null,
      },
      changes,
    ],
  });

it("a build fails if Vite's function around import() was not found", async () => {
  await expect(pageWith("void import('/src/other.ts');")).resolves.toBeDefined();
  await expect(pageWith('document.title = "";')).rejects.toThrow("Vite's function around import() was not found");
});

it("a build fails if React Router's own imports were not found", async () => {
  await expect(pageWith('document.title = "";', screensFetchedFirst())).rejects.toThrow(
    'Not found in React Router: ssr/routeModules.js, ssr/components.js',
  );
});
