import { expect, it } from 'vitest';
import { askOver } from '#client/call.ts';
import { loadExports } from './load-exports.ts';

const answering = (status: number) => askOver(() => Promise.resolve(Response.json({}, { status })));

it('an export that was deleted while the page loads is left out; other failures are failures of the page', async () => {
  expect(await loadExports(answering(404), ['deleted'])).toEqual([]);
  await expect(loadExports(answering(503), ['e1'])).rejects.toMatchObject({ status: 503 });
});
