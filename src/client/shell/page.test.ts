import { RouterContextProvider } from 'react-router';
import { expect, it } from 'vitest';
import { servicesContext } from '#client/server-context.ts';
import { loader } from './page.tsx';

it('first steps that cannot be loaded are known to have failed, and take no page with them', async () => {
  const load = (status: number, body: string, cookie = '') => {
    const context = new RouterContextProvider();
    context.set(servicesContext, {
      fetchApi: async () => new Response(body, { status }),
      requestId: 'r1',
      nonce: '',
      logError: () => undefined,
    });
    const request = new Request('http://kontor.invalid/', { headers: { cookie } });
    return loader({ request, context, params: {}, url: new URL(request.url), pattern: '/' });
  };
  expect(await load(503, '')).toEqual({ steps: null, failed: true });
  expect(await load(200, '{"unknown":1}')).toEqual({ steps: null, failed: true });
  const steps = { masterid: null, imported: false, exportid: null, assigned: false, file: false };
  expect(await load(200, JSON.stringify(steps))).toMatchObject({ failed: false });
});
