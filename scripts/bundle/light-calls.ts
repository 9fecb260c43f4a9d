import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Call } from '../../src/shared/http/call.ts';

const zod = /\/node_modules\/zod\//;
/** The module that lists every call, and the same module in full. */
const LIST = '/src/shared/http/api.ts';
const WHOLE = `${LIST}?whole`;

/**
 * In built pages the list of calls only contains method and path: the schemas of all answers are a third of what a first page
 * would load. They are in one file, which is loaded with the first call of a page. In development the full list is used.
 */
export function lightCalls(): Plugin {
  return {
    name: 'kontor:light-calls',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    async load(id) {
      if (!id.endsWith(LIST)) return null;
      const { api }: { api: Readonly<Record<string, Call>> } = await import(pathToFileURL(id).href);
      return lightModule(api);
    },
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || chunk.name !== 'start') continue;
        const schemas = chunk.moduleIds.filter(
          (id) => !zod.test(id) && (this.getModuleInfo(id)?.importedIds ?? []).some((imported) => zod.test(imported)),
        );
        if (schemas.length > 0) this.error(`The first page must load no schemas: ${schemas.join(', ')}`);
      }
    },
  };
}

/** Returns the text of the module that replaces the list. The schemas are attached in a loop: said per call they weigh a kilobyte. */
export function lightModule(api: Readonly<Record<string, Call>>): string {
  const calls = Object.entries(api);
  const lines = calls.map(([name, { method, path }]) => `${name}:{method:'${method}',path:${JSON.stringify(path)}}`);
  const withoutAnswer = calls.filter(([, { response }]) => response === undefined).map(([name]) => name);
  return [
    `const shape=async(name)=>(await import(${JSON.stringify(WHOLE)})).api[name].response;`,
    `const withoutAnswer=new Set(${JSON.stringify(withoutAnswer.join(' '))}.split(' '));`,
    `export const api={${lines.join(',\n')}};`,
    `for(const name in api)if(!withoutAnswer.has(name))api[name].lateResponse=()=>shape(name);`,
  ].join('\n');
}
