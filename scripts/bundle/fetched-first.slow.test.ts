import { build } from 'vite';
import { expect, it } from 'vitest';
import { fetchedFirst } from './fetched-first.ts';

const pageWith = (code: string) =>
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
      fetchedFirst(),
    ],
  });

it("a build fails if Vite's function around import() was not found", async () => {
  await expect(pageWith("void import('/src/other.ts');")).resolves.toBeDefined();
  await expect(pageWith('document.title = "";')).rejects.toThrow("Vite's function around import() was not found");
});
