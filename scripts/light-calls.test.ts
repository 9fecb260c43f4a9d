import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { lightModule } from './light-calls.ts';

it('built pages know where every call goes, and load the shape of its answer when they need it', async () => {
  const light = await import(`data:text/javascript,${encodeURIComponent(lightModule(api))}`);
  expect(Object.keys(light.api)).toEqual(Object.keys(api));
  const { session, itemsCsv } = light.api;
  expect(session).toEqual({ method: 'GET', path: api.session.path, lateResponse: expect.any(Function) });
  expect(itemsCsv).toEqual({ method: 'GET', path: api.itemsCsv.path });
  expect(JSON.stringify(light.api)).not.toContain('summary');
});
