import { expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { lightModule } from './light-calls.ts';

it("the light API module of built pages holds every call's address and loads its response schema on demand", async () => {
  const light = await import(`data:text/javascript,${encodeURIComponent(lightModule(api))}`);
  expect(Object.keys(light.api)).toEqual(Object.keys(api));
  const { session, itemsCsv } = light.api;
  expect(session).toEqual({ method: 'GET', path: api.session.path, lateResponse: expect.any(Function) });
  expect(itemsCsv).toEqual({ method: 'GET', path: api.itemsCsv.path });
  expect(JSON.stringify(light.api)).not.toContain('summary');
});
