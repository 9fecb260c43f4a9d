import { afterAll, beforeAll, expect, it } from 'vitest';
import { testKontor, type TestKontor } from '../../stages/kontor.ts';
import { liveClient, propsOf } from '../../stages/http/live-client.ts';
import { orderChannel, takeOrders } from '../../stages/orders/order-samples.ts';

let kontor: TestKontor;
beforeAll(async () => {
  kontor = await testKontor();
});
afterAll(() => kontor.close());

it('LVC-01 best-sellers are computed when the component loads, not with its page', async () => {
  const live = liveClient(kontor);
  const channel = await orderChannel(kontor, 'Hofladen');
  await takeOrders(kontor, channel, [
    {
      orderid: 'B-1',
      lines: [
        { sku: 'A-1', ordered: 3, cancelled: 1 },
        { sku: 'ZZ <b>', title: '', ordered: 40 },
      ],
    },
    { orderid: 'B-2', lines: [{ sku: 'B-9', ordered: 5, cancelled: 5 }] },
    { orderid: 'B-3', lines: [{ sku: 'ALT-1', ordered: 90 }], placedHoursAgo: 31 * 24 },
  ]);
  const place = await live.first('best-sellers');
  expect(place).toContain('Wird geladen …');
  expect(place).not.toContain('Stück');
  const { html } = await live.send('best-sellers', { props: propsOf(place) });
  expect(html).toMatch(/ZZ &lt;b&gt;[^]*40 Stück[^]*A-1/);
  expect(html).not.toMatch(/B-9|ALT-1/);
});
