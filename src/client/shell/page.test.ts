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

it('a failure to load the first steps is reported as such and does not fail the page', async () => {
  expect(await load(editor, 503, '')).toMatchObject({ steps: null, failed: true });
  expect(await load(editor, 200, '{"unknown":1}')).toMatchObject({ steps: null, failed: true });
  const steps = { masterid: null, imported: false, exportid: null, assigned: false, file: false };
  expect(await load(editor, 200, JSON.stringify(steps))).toMatchObject({ steps, failed: false });
});

it('does not request the first steps for a user without permission, which would be refused and logged', async () => {
  const answer = await load(['enter', 'ship'], 403, '');
  expect(answer).toEqual({ steps: null, failed: false, asked: ['/api/session'] });
});
