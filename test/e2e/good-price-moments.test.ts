import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { GOOD_PRICE_DAYS } from '#shared/repricer/state.ts';
import { masterWith, testKontor, type TestKontor } from '../stages/kontor.ts';

let kontor: TestKontor;
beforeAll(async () => {
  kontor = await testKontor();
});
afterAll(() => kontor.close());

it('good prices are put back to moments of which prices are still kept, and to no earlier one', async () => {
  const masterid = await masterWith(kontor, 'sku;titel\nA-1;Tasse\n', { key: 'sku' });
  const ask = async (days: number) => {
    const answer = await kontor.raw(pathOf(api.previewRestore, { masterid }), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ moment: new Date(Date.now() - days * 24 * 60 * 60_000).toISOString() }),
    });
    return [answer.status, await answer.text()];
  };
  expect(await ask(GOOD_PRICE_DAYS - 1)).toEqual([200, expect.anything()]);
  expect(await ask(GOOD_PRICE_DAYS + 1)).toEqual([422, expect.stringContaining('too_long_ago')]);
});
