import type { Plugin } from 'vite';

/** Vite's function around each `import()` of built pages; it knows which files the imported module needs. */
const HELPER = '\0vite/preload-helper.js';
const EXPORTED = 'export const __vitePreload =';

/**
 * Makes an `import()` of built pages fetch its files first. A browser remembers a module that failed to load for the life of the
 * page, and with it everything that imports it: after one lost connection the first call of a page could fail until a reload. A
 * fetch can be repeated.
 *
 * One kind of import is not covered: for a file that imports no other file and has no styles Vite names no files, so it is
 * imported without a fetch. The screens, which React Router imports itself, are fetched by `screensFetchedFirst`.
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

/** What changes in React Router's own files, by the end of a file's name. */
const routerChanges = {
  // When this import fails, the router reloads the page, even if only the pointer was over a link.
  'ssr/routeModules.js': {
    from: 'let routeModule = await import(',
    to: 'await fetchScreen(route);\nlet routeModule = await import(',
    imports: "import { fetchScreen } from '/src/client/page-load/fetch-screen.ts';\n",
  },
  // A module that the browser could not preload is remembered as failed, like one that could not be imported.
  'ssr/components.js': {
    from: /(moduleHrefs\.map\([^{]*\{\s*key: href,\s*rel: )"modulepreload"/,
    to: '$1"prefetch"',
    imports: '',
  },
} as const;

/** Makes React Router in built pages fetch a screen's files before it imports them, and wait while they cannot be fetched. */
export function screensFetchedFirst(): Plugin {
  const left = new Set<string>(Object.keys(routerChanges));
  return {
    name: 'kontor:screens-fetched-first',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    transform: {
      filter: { id: /\/react-router\/dist\/.*\/ssr\/(routeModules|components)\.js$/ },
      handler(code, id) {
        for (const [name, { from, to, imports }] of Object.entries(routerChanges)) {
          if (!id.endsWith(name)) continue;
          const changed = imports + code.replace(from, to);
          if (changed === imports + code) this.error(`React Router's ${name} has changed; see fetched-first.ts.`);
          left.delete(name);
          return { code: changed, map: null };
        }
        return null;
      },
    },
    generateBundle() {
      if (left.size > 0) this.error(`Not found in React Router: ${[...left].join(', ')}; see fetched-first.ts.`);
    },
  };
}
