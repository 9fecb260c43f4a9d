import { afterAll, beforeAll, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import { pathOf } from '#shared/http/call.ts';
import { GOOD_PRICE_DAYS } from '#shared/repricer/state.ts';
import { masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { undercutting } from '../../stages/repricer/offer-message.ts';

let kontor: TestKontor;
beforeAll(async () => {
  kontor = await testKontor();
});
afterAll(() => kontor.close());

it('good prices can be restored only to moments whose prices are still stored', async () => {
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

it('a restore of good prices uses the limits of rules, also paused ones, and is refused without any limits', async () => {
  const masterid = await masterWith(kontor, 'sku;von;bis;normal\nA-1;10,00;20,00;15,00', { key: 'sku' });
  const params = { masterid };
  const start = async () => {
    const moment = new Date(Date.now() - 60_000).toISOString();
    const answer = await kontor.raw(pathOf(api.startRestore, params), {
      method: 'POST',
      headers: { ...(await kontor.owner()), 'content-type': 'application/json' },
      body: JSON.stringify({ moment, reason: 'Falsche Regel' }),
      as: null,
    });
    return [answer.status, await answer.text()];
  };
  expect(await start()).toEqual([422, expect.stringContaining('no_limits')]);
  expect((await kontor.ask(api.repricerState, { params })).restore).toBeNull();
  const paused = { ...undercutting('Regel00001', 'Ruht', ['von', 'bis', 'normal']), active: false };
  await kontor.ask(api.saveRepricerRule, { params: { masterid, ruleid: paused.id }, body: paused });
  expect(await start()).toEqual([200, expect.anything()]);
  const remove = async () => {
    const path = `${pathOf(api.deleteRepricerRule, params)}?queryselector=${paused.id}`;
    const answer = await kontor.raw(path, { method: 'POST', headers: await kontor.owner(), as: null });
    return [answer.status, await answer.text()];
  };
  expect(await remove()).toEqual([409, expect.stringContaining('"restoring"')]);
  expect(Object.keys(await kontor.ask(api.repricerRules, { params }))).toEqual([paused.id]);
  await kontor.ask(api.endRestore, { params });
  expect(await remove()).toEqual([200, expect.anything()]);
});
