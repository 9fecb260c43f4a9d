import { afterEach, describe, expect, it } from 'vitest';
import { startAmazonOrders } from '../../../../test/stages/marketplaces/amazon-orders.ts';
import type { SandboxOptions } from '#marketplaces/sandbox/sandbox.ts';
import { MarketplaceError } from '#marketplaces/port.ts';

/** What is special to Amazon's orders; what every connector must do is tested in marketplaces/contract. */
describe('orders on Amazon', () => {
  let opened: Awaited<ReturnType<typeof startAmazonOrders>> | undefined;
  afterEach(() => opened?.close());

  const begin = async (more: Partial<SandboxOptions> = {}) => (opened = await startAmazonOrders(more));

  it('OIM-02 changes are paged oldest first with constant parameters; an order on two pages is equal on both', async () => {
    const { port, buy, clock, pass, sandbox, exchanged } = await begin({ faults: { pagesOverlap: 1 } });
    const since = clock.now();
    const ids = Array.from({ length: 150 }, () => {
      pass(1);
      return buy([{ sku: 'S1', quantity: 1 }]).order.id;
    });
    pass(600);
    const first = await port.changes(since);
    expect(first.next).toEqual(expect.stringMatching(/./));
    // The next page repeats the first query, whatever `since` is passed.
    const second = await port.changes(new Date(0), first.next);
    expect(second.next).toBeUndefined();
    const all = [...first.orders, ...second.orders].map(({ order }) => order);
    expect([first.orders.length, all.length]).toEqual([100, 151]);
    expect([...new Set(all)]).toEqual(ids);
    expect(first.orders[99]).toEqual(second.orders[0]);
    expect(first.asOf).toEqual(new Date(clock.now().getTime() - 120_000));
    const asked = exchanged.map(({ url }) => new URL(url)).filter(({ pathname }) => pathname.endsWith('/orders'));
    const [one, two] = asked.map(({ searchParams }) => Object.fromEntries(searchParams));
    expect({ ...two, paginationToken: undefined }).toEqual({ ...one, paginationToken: undefined });
    // A page token expires after a day, and a text that is no token is refused.
    pass(25 * 3600);
    for (const cursor of [first.next, 'x'])
      await expect(port.changes(since, cursor)).rejects.toMatchObject({ kind: 'permanent', field: 'cursor' });
    // Changes of the last two minutes are not requested.
    expect((await port.changes(clock.now())).orders).toEqual([]);
    expect(sandbox.counters.overRate).toBe(0);
  });

  it("OIM-02 a throttled call reports how long to wait, at this marketplace's slow rates", async () => {
    const { port, buy, cancel, pass } = await begin();
    const delays: number[] = [];
    const untilRefused = async (call: () => Promise<unknown>) => {
      for (let n = 0; n < 25; n++) {
        const error = await call().catch((thrown: unknown) => thrown);
        if (error instanceof MarketplaceError) return void delays.push(error.delayMs ?? 0);
      }
    };
    await untilRefused(() => port.changes(new Date(0)));
    const { on } = buy([{ sku: 'S1', quantity: 1 }]);
    await untilRefused(() => {
      // A document may be created more often than a feed.
      pass(3);
      return port.act(cancel(on, 1, 1));
    });
    expect(delays.map((delay) => Math.round(delay / 1000))).toEqual([179, 121]);
  });

  it("OIM-02 a parcel is changed by its number; one from the seller's page or another is not taken for ours", async () => {
    const { port, buy, ship, sandbox, pass, clock } = await begin();
    const { order, line, on } = buy([{ sku: 'S1', quantity: 3 }]);
    await port.act(ship(on, 1));
    const at = clock.now();
    const edit = ship(on, 1, { tracking: '0034-0433 8364', carrier: 'Hermes' });
    expect(await port.act(edit)).toMatchObject({ state: 'done' });
    expect((await port.order(order.id))?.shipments).toMatchObject([
      { reference: '1', carrier: 'Hermes', tracking: '0034-0433 8364' },
    ]);
    expect(await port.readBack({ ...edit, tracking: '003404338364' }, { at, reference: '1' })).toMatchObject({
      state: 'done',
    });
    expect(sandbox.counters).toMatchObject({ shipments: 1, edits: 1, shippedTwice: 0 });
    // Meanwhile the merchant shipped on Amazon's page: once with another tracking number under our reference, once the other way
    // round.
    sandbox.book.shipOnSite(order.id, '2', 'FREMD', [{ line: line.id, quantity: 1 }]);
    pass(3600);
    const ours = ship(on, 1, { reference: '2', tracking: 'N2' });
    expect(await port.readBack(ours, { at: clock.now(), reference: '' })).toMatchObject({ state: 'unclear' });
    expect(await port.readBack(ours, { at, reference: '' })).toMatchObject({
      state: 'refused',
      issues: [{ field: 'reference', message: expect.stringMatching(/Sendung 2/) }],
    });
    const known = ship(on, 1, { reference: '7', tracking: 'fremd' });
    expect(await port.readBack(known, { at, reference: '' })).toMatchObject({ state: 'done', reference: '2' });
    const nobody = ship(on, 1, { reference: '3', tracking: 'N3' });
    expect(await port.readBack(nobody, { at, reference: '' })).toMatchObject({ state: 'absent' });
    // Nothing is left to ship: someone has to check what is there.
    expect(await port.act(ship(on, 1, { reference: '3' }))).toMatchObject({ state: 'done' });
    await expect(port.act(ship(on, 1, { reference: '4' }))).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('OIM-02 Ship+, unpaid orders, invalid numbers and carriers are refused with a reason, invalid input without a request', async () => {
    const { port, buy, ship, sandbox } = await begin();
    const plus = buy([{ sku: 'S1', quantity: 1 }], { programs: ['FBM_SHIP_PLUS'] });
    expect((await port.order(plus.order.id))?.confirmable).toBe(false);
    const refused = { state: 'refused', issues: [{ message: expect.stringMatching(/Amazon/) }] };
    expect(await port.act(ship(plus.on, 1))).toMatchObject(refused);
    const pending = buy([{ sku: 'S1', quantity: 1 }], { pendingMinutes: 60 });
    expect(await port.act(ship(pending.on, 1))).toMatchObject(refused);
    const asked = sandbox.counters.calls['confirmShipment'];
    const { on } = buy([{ sku: 'S1', quantity: 1 }]);
    for (const wrong of [{ reference: 'UK-1' }, { reference: '0' }, { carrier: ' ' }, { tracking: '' }, { lines: [] }])
      expect(await port.act(ship(on, 1, wrong))).toMatchObject({
        state: 'refused',
        issues: [{ field: Object.keys(wrong)[0] }],
      });
    expect(sandbox.counters.calls['confirmShipment']).toBe(asked);
    expect(sandbox.counters.shipments).toBe(0);
  });

  it('OIM-02 a parcel that Amazon shows late, or accepted without effect, is found by reading back', async () => {
    const { port, buy, ship, sandbox, pass, clock } = await begin({ faults: { packageLate: 1 } });
    const late = buy([{ sku: 'S1', quantity: 1 }]);
    const at = clock.now();
    const first = ship(late.on, 1);
    await port.act(first);
    expect(await port.readBack(first, { at, reference: '1' })).toMatchObject({ state: 'unclear' });
    pass(7 * 60);
    expect(await port.readBack(first, { at, reference: '1' })).toMatchObject({ state: 'done' });
    sandbox.setFaults({ ignored: 1 });
    const lost = buy([{ sku: 'S1', quantity: 1 }]);
    const second = ship(lost.on, 1);
    expect(await port.act(second)).toMatchObject({ state: 'done' });
    expect(await port.readBack(second, { at: clock.now(), reference: '1' })).toMatchObject({ state: 'unclear' });
    const sentAt = clock.now();
    pass(20 * 60);
    expect(await port.readBack(second, { at: sentAt, reference: '1' })).toMatchObject({ state: 'absent' });
    expect(sandbox.counters).toMatchObject({ shipments: 1, late: 0 });
    // The same holds for a quantity.
    expect(await port.setStock?.([{ sku: 'S1', quantity: 4 }])).toMatchObject([{ state: 'ACCEPTED' }]);
    expect(await port.readStock?.(['S1'])).toEqual([{ sku: 'S1', quantity: null }]);
  });

  it('OIM-02 a lost parcel is not sent again once the buyer has cancelled its contents', async () => {
    const { port, buy, ship, sandbox, pass, clock } = await begin({ faults: { ignored: 1 } });
    const at = clock.now();
    const { on } = buy([{ sku: 'S1', quantity: 2 }]);
    const parcel = ship(on, 2);
    expect(await port.act(parcel)).toMatchObject({ state: 'done' });
    pass(20 * 60);
    sandbox.book.cancelAsBuyer(on.order);
    expect(await port.readBack(parcel, { at, reference: '1' })).toMatchObject({
      state: 'refused',
      issues: [{ code: 'not_open' }],
    });
  });

  it('OIM-03 several cancellations are one feed; one is refused, and the others are done', async () => {
    const { port, buy, ship, cancel, pass, clock, sandbox } = await begin();
    const { order, on } = buy([
      { sku: 'S1', quantity: 1 },
      { sku: 'S2', quantity: 2 },
      { sku: 'S3', quantity: 1 },
    ]);
    const actions = order.lines.map(({ id, ordered }) => cancel({ ...on, line: id }, ordered, ordered));
    await port.act(ship({ ...on, line: order.lines[1]?.id ?? '' }, 1));
    expect(new Set(actions.map((one) => port.bundle?.keyOf(one))).size).toBe(1);
    const at = clock.now();
    const answers = await port.bundle?.act(actions);
    expect(answers?.map(({ state }) => state)).toEqual(['submitted', 'submitted', 'submitted']);
    expect(sandbox.counters.feeds).toBe(1);
    const looks = async () => {
      const found = [];
      for (const [n, action] of actions.entries())
        found.push(await port.readBack(action, { at, reference: answers?.[n]?.reference ?? '' }));
      return found;
    };
    expect((await looks()).map(({ state }) => state)).toEqual(['pending', 'pending', 'pending']);
    pass(600);
    const ends = await looks();
    expect(ends.map(({ state }) => state)).toEqual(['done', 'refused', 'done']);
    expect(ends[1]?.issues).toMatchObject([{ code: '18028', message: expect.stringMatching(/shipped/) }]);
    expect(sandbox.counters.cancelledTwice).toBe(0);
    // Actions that cannot share a feed are refused.
    const mixed = [cancel(on, 1, 1), cancel(on, 1, 2)];
    expect(() => port.bundle?.act(mixed)).toThrow('the same key');
  });

  it('OIM-03 a returned piece is refunded; a repeated refund would pay twice, so an unknown outcome is never retried', async () => {
    const { port, buy, ship, giveBack, refund, finish, sandbox, clock, pass } = await begin();
    const { order, line, on } = buy([{ sku: 'S1', quantity: 2 }]);
    expect(await finish(giveBack(on, 1))).toMatchObject({ state: 'refused', issues: [{ message: /shipped/ }] });
    await port.act(ship(on, 2));
    sandbox.book.deliver(order.id);
    sandbox.book.giveBack(order.id, line.id, 1);
    expect((await port.order(order.id))?.shipments).toMatchObject([{ state: 'delivered' }]);
    expect(await finish(giveBack(on, 1))).toMatchObject({ state: 'done' });
    expect(line.refundedCents).toBe(1500);
    const action = refund(on, 500);
    expect(await finish(action)).toMatchObject({ state: 'done' });
    expect(sandbox.counters.refundedTwice).toBe(0);
    // The same refund again: Amazon pays twice, which is why it must never be retried.
    expect(await finish(action)).toMatchObject({ state: 'done' });
    expect([line.refundedCents, sandbox.counters.refundedTwice]).toEqual([2500, 1]);
    expect(port.support.actions.refund?.repeat).toBe('never');
    // Without the feed's id nobody can say which feed it was.
    const at = clock.now();
    sandbox.setFaults({ cutAfter: 1 }, ['createFeed']);
    const lost = refund(on, 100);
    await expect(port.act(lost)).rejects.toMatchObject({ kind: 'unknown' });
    sandbox.setFaults({});
    pass(3600);
    expect(await port.readBack(lost, { at, reference: '' })).toMatchObject({ state: 'unclear' });
    // A refusal, however, names its message.
    const tooMuch = refund(on, 90_000);
    sandbox.setFaults({ cutAfter: 1 }, ['createFeed']);
    await expect(port.act(tooMuch)).rejects.toMatchObject({ kind: 'unknown' });
    const sentAt = clock.now();
    sandbox.setFaults({});
    pass(3600);
    expect(await port.readBack(tooMuch, { at: sentAt, reference: '' })).toMatchObject({ state: 'refused' });
  });

  it('OIM-03 actions lost together are looked up in one list of feeds, which is requested once', async () => {
    const { port, buy, refund, sandbox, clock, pass, exchanged } = await begin();
    const lost = Array.from({ length: 20 }, () => refund(buy([{ sku: 'S1', quantity: 1 }]).on, 100));
    sandbox.setFaults({ cutAfter: 1 }, ['createFeed']);
    pass(61 - clock.now().getSeconds());
    const at = clock.now();
    await expect(port.bundle?.act(lost)).rejects.toMatchObject({ kind: 'unknown' });
    sandbox.setFaults({});
    const listsAsked = () => exchanged.filter(({ url }) => new URL(url).pathname === '/feeds/2021-06-30/feeds').length;
    const look = async () => {
      for (const [index, action] of lost.entries())
        await port.readBack(action, { at: new Date(at.getTime() + index), reference: '' });
    };
    // A list with a feed still in progress is requested each time.
    await port.readBack(refund(buy([{ sku: 'S1', quantity: 1 }]).on, 100), { at, reference: '' });
    expect(listsAsked()).toBe(1);
    pass(3600);
    await look();
    expect(listsAsked()).toBe(2);
    pass(3600);
    await look();
    expect(listsAsked()).toBe(2);
  });

  it('OIM-03 waiting feeds are pending, failed ones are unclear unless the order shows the outcome', async () => {
    const { port, buy, cancel, refund, ship, pass, clock, sandbox, finish } = await begin({ faults: { feedSlow: 1 } });
    const slow = buy([{ sku: 'S1', quantity: 1 }]);
    const at = clock.now();
    const action = cancel(slow.on, 1, 1);
    const { reference } = await port.act(action);
    pass(600);
    expect(await port.readBack(action, { at, reference })).toMatchObject({ state: 'pending', reference });
    pass(2 * 3600);
    expect(await port.readBack(action, { at, reference })).toMatchObject({ state: 'done' });
    sandbox.setFaults({ feedFatal: 1 });
    const other = buy([{ sku: 'S1', quantity: 1 }]);
    await port.act(ship(other.on, 1));
    expect(await finish(refund(other.on, 100))).toMatchObject({
      state: 'unclear',
      issues: [
        {
          code: 'FATAL',
          message: 'Amazon hat die Verarbeitung abgebrochen; ob sie schon wirkte, ist unbekannt.',
        },
      ],
    });
    sandbox.setFaults({ feedRefused: 1 });
    expect(await finish(refund(other.on, 100))).toMatchObject({ state: 'refused' });
    expect(await port.readBack(refund(other.on, 1), { at, reference: 'gibt es nicht' })).toMatchObject({
      state: 'unclear',
    });
  });
});
