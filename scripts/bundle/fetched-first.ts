import type { Plugin } from 'vite';

/** Vite's function around each `import()` of built pages; it knows which files the imported module needs. */
const HELPER = '\0vite/preload-helper.js';
const EXPORTED = 'export const __vitePreload =';

/**
 * Makes an `import()` of built pages fetch its files first. A browser remembers a module that failed to load for the life of the
 * page, and with it everything that imports it: after one lost connection the first call of a page could fail until a reload. A
 * fetch can be repeated.
 *
 * Two kinds of imports are not covered: for a file that imports no other file and has no styles Vite names no files, so it is
 * imported without a fetch; and React Router imports the screens by an `import()` of its own, which Vite does not see.
 */
export function fetchedFirst(): Plugin {
  let applied = false;
  return {
    name: 'kontor:fetched-first',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler(code, id) {
        if (id !== HELPER) return null;
        if (!code.includes(EXPORTED)) this.error("Vite's function around import() has changed; see fetched-first.ts.");
        applied = true;
        return {
          code: [
            "import { fetchFiles } from '/src/client/page-load/fetch-files.ts';",
            code.replace(EXPORTED, 'const importPreloaded ='),
            'export const __vitePreload = (load, files) => fetchFiles(files ?? []).then(() => importPreloaded(load, files));',
          ].join('\n'),
          map: null,
        };
      },
    },
    generateBundle() {
      if (!applied) this.error("Vite's function around import() was not found; see fetched-first.ts.");
    },
  };
}
