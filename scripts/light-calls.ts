import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import type { Call } from '../src/shared/http/call.ts';

/** The module that lists every call, and the same with everything that it says. */
const LIST = '/src/shared/http/api.ts';
const WHOLE = `${LIST}?whole`;

/**
 * In built pages the list of calls says where a call goes and no more: the shapes of all answers are a third of what a first page
 * would load. They are one file, which comes with the first call that a page makes. While somebody develops the list stays whole.
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
  };
}

/** The text of the module that stands in for the list. */
export function lightModule(api: Readonly<Record<string, Call>>): string {
  const lines = Object.entries(api).map(([name, { method, path, response }]) => {
    const shape = response === undefined ? '' : `,lateResponse:()=>shape(${JSON.stringify(name)})`;
    return `${name}:{method:${JSON.stringify(method)},path:${JSON.stringify(path)}${shape}}`;
  });
  return [
    `const shape=async(name)=>(await import(${JSON.stringify(WHOLE)})).api[name].response;`,
    `export const api={${lines.join(',\n')}};`,
  ].join('\n');
}
