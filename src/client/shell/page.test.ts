import { RouterContextProvider } from 'react-router';
import { expect, it } from 'vitest';
import { servicesContext } from '#client/server-context.ts';
import { loader } from './page.tsx';

const load = (permissions: readonly string[], status: number, body: string) => {
  const asked: string[] = [];
  const context = new RouterContextProvider();
  context.set(servicesContext, {
    fetchApi: async (path) => {
      asked.push(path);
      return path === '/api/session' ? Response.json(sessionOf(permissions)) : new Response(body, { status });
    },
    requestId: 'r1',
    nonce: '',
    logError: () => undefined,
  });
  const request = new Request('http://kontor.invalid/');
  const loaded = loader({ request, context, params: {}, url: new URL(request.url), pattern: '/' });
  return loaded.then((answer) => ({ ...answer, asked }));
};
const sessionOf = (permissions: readonly string[]) => ({
  user: { id: 'u1', name: 'Frieda', email: 'frieda@beispiel.de' },
  company: { id: 'c1', name: 'Firma' },
  role: 'editor',
  permissions,
});
const editor = ['enter', 'read', 'edit', 'run'];

it('first steps that cannot be loaded are known to have failed, and take no page with them', async () => {
  expect(await load(editor, 503, '')).toMatchObject({ steps: null, failed: true });
  expect(await load(editor, 200, '{"unknown":1}')).toMatchObject({ steps: null, failed: true });
  const steps = { masterid: null, imported: false, exportid: null, assigned: false, file: false };
  expect(await load(editor, 200, JSON.stringify(steps))).toMatchObject({ steps, failed: false });
});

it('asks for the first steps of nobody who may not take them, which would be refused and logged', async () => {
  const answer = await load(['enter', 'ship'], 403, '');
  expect(answer).toEqual({ steps: null, failed: false, asked: ['/api/session'] });
});
