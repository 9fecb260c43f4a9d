import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChannelOrder, ChannelShipment } from '#marketplaces/orders-port.ts';
import { mergeOrder } from './merge-order.ts';
import { at, line, said, nothing, stored, after, first, withAction, parcel } from './merge-order-fixture.ts';

describe("merging a channel's state of an order", () => {
  it('an older state changes nothing, and an unchanged one is recognised as the same', () => {
    const once = after(nothing, said(5, [line()]));
    expect(mergeOrder(once, said(4, [line({ ordered: 9 })]))).toBe('old');
    expect(mergeOrder(once, said(5, [line()]))).toBe('same');
    expect(mergeOrder(once, said(6, [line()]))).toBe('same');
  });

  it('a smaller quantity means that pieces were cancelled; a missing line is unchanged', () => {
    const two = after(nothing, said(1, [line(), line({ line: '2' })]));
    const less = after(two, said(2, [line({ ordered: 1 })]));
    expect(less.lines.map(({ ordered, cancelled }) => [ordered, cancelled])).toEqual([
      [3, 2],
      [3, 0],
    ]);
  });

  it("a shipment made on the seller's page ends our waiting one, and nothing is left to send", () => {
    const waiting = withAction(after(nothing, said(1, [line()])), { kind: 'ship', state: 'new', reference: '' }, 3);
    const merge = mergeOrder(waiting, said(2, [line({ shipped: 3 })], { shipments: [parcel('9', 3)] }));
    if (typeof merge === 'string') throw new Error(merge);
    expect(merge.superseded).toHaveLength(1);
    expect(merge.lines[0]).toMatchObject({ shipped: 3, ship_waiting: 0 });
    expect(merge.order.state).toBe('shipped');
  });

  it('one of ours that was sent without an answer and waits to be sent again is not taken for unsent', () => {
    const open = after(nothing, said(1, [line()]));
    const repeated = withAction(open, { kind: 'ship', state: 'new', reference: '1', sends: 1 }, 2);
    // Nothing is superseded, and its pieces stay reserved.
    expect(mergeOrder(repeated, said(2, [line({ shipped: 2 })], { shipments: [] }))).toBe('same');
  });

  it('our parcel with a missing response is not booked by the merge, since the read-back books it', () => {
    const sent = withAction(after(nothing, said(1, [line()])), { kind: 'ship', state: 'unknown', reference: '1' }, 2);
    const merged = after(sent, said(2, [line({ shipped: 2 })], { shipments: [parcel('1', 2)] }));
    expect(first(merged)).toMatchObject({ shipped: 0, ship_waiting: 2 });
  });

  it('a parcel that appears after its pieces were counted takes those pieces, and they are not shipped twice', () => {
    const counted = after(nothing, said(1, [line({ shipped: 2 })], { shipments: [] }));
    expect(counted.shipments).toMatchObject([{ reference: '', lines: [{ line: '1', quantity: 2 }] }]);
    const merge = mergeOrder(counted, said(2, [line({ shipped: 2 })], { shipments: [parcel('9', 1)] }));
    if (typeof merge === 'string') throw new Error(merge);
    expect(merge.lines[0]).toMatchObject({ ordered: 3, shipped: 2 });
    expect(merge.named).toEqual([{ shipment: 's0', line: '1', quantity: 1 }]);
    expect(merge.shipments).toMatchObject([{ reference: '9', tracking: 'T9', lines: [{ line: '1', quantity: 1 }] }]);
    expect(merge.events).toEqual([]);
    // Now the other of the two parcels, and one shipped since.
    const all = { shipments: [parcel('9', 1), parcel('10', 2)] };
    const last = after(stored(counted, merge), said(3, [line({ shipped: 3 })], all));
    expect(first(last).shipped).toBe(3);
    expect(last.shipments.map(({ reference, lines }) => [reference, lines[0]?.quantity])).toEqual([
      ['', 0],
      ['9', 1],
      ['10', 2],
    ]);
  });

  it('a parcel that the channel replaced by one with the same pieces gets the new tracking number', () => {
    const shipped = after(nothing, said(1, [line({ shipped: 3 })], { shipments: [parcel('1', 2), parcel('2', 1)] }));
    const merge = mergeOrder(shipped, said(2, [line({ shipped: 3 })], { shipments: [parcel('9', 2), parcel('2', 1)] }));
    if (typeof merge === 'string') throw new Error(merge);
    expect(merge.corrected).toEqual([{ id: 's0', reference: '9', carrier: 'DHL', tracking: 'T9' }]);
    expect(merge.events).toEqual([{ kind: 'tracking_corrected', details: { from: 'T1', to: 'T9' } }]);
    expect(merge.shipments).toEqual([]);
    // If it is cancelled there, the old parcel counts as removed.
    const cancelled = [parcel('1', 2, 'cancelled'), parcel('2', 1), parcel('9', 2)];
    expect(mergeOrder(shipped, said(2, [line({ shipped: 3 })], { shipments: cancelled }))).toMatchObject({
      corrected: [{ id: 's0', reference: '9', tracking: 'T9' }],
      shipmentStates: [],
    });
    const before = after(shipped, said(2, [line({ shipped: 3 })], { shipments: cancelled.slice(0, 2) }));
    expect(mergeOrder(before, said(3, [line({ shipped: 3 })], { shipments: cancelled.toReversed() }))).toMatchObject({
      corrected: [{ id: 's0', reference: '9', tracking: 'T9' }],
      shipmentStates: [{ id: 's0', state: 'shipped' }],
    });
  });

  it("a replaced parcel of an open order is not booked again while the channel's count does not rise", () => {
    const open = after(nothing, said(1, [line({ ordered: 6, shipped: 2 })], { shipments: [parcel('1', 2)] }));
    const now = (shipped: number, ...shipments: ChannelShipment[]) =>
      mergeOrder(open, said(2, [line({ ordered: 6, shipped })], { shipments }));
    const followed = { corrected: [{ id: 's0', reference: '9', tracking: 'T9' }], lines: [{ shipped: 2 }] };
    expect(now(2, parcel('9', 2))).toMatchObject({ ...followed, shipments: [] });
    expect(now(2, parcel('1', 2, 'cancelled'), parcel('9', 2))).toMatchObject({ ...followed, shipments: [] });
    // With another new parcel, in either order.
    for (const both of [
      [parcel('9', 2), parcel('8', 1)],
      [parcel('8', 1), parcel('9', 2)],
    ])
      expect(now(3, ...both)).toMatchObject({
        corrected: followed.corrected,
        lines: [{ shipped: 3 }],
        shipments: [{ reference: '8' }],
      });
    // The channel counts the pieces in addition: it is another parcel.
    expect(now(4, parcel('9', 2))).toMatchObject({
      corrected: [],
      lines: [{ shipped: 4 }],
      shipments: [{ reference: '9' }],
    });
    // A parcel that we sent and that is not read back yet cannot be the replacement.
    const ours = withAction(open, { kind: 'ship', state: 'submitted', reference: '5' }, 1);
    const seen = said(2, [line({ ordered: 6, shipped: 3 })], { shipments: [parcel('5', 1), parcel('9', 2)] });
    expect(mergeOrder(ours, seen)).toMatchObject(followed);
  });

  it("new parcels are booked up to the channel's count or the contents of all its parcels, and no further", () => {
    const open = after(nothing, said(1, [line({ ordered: 6, shipped: 2 })], { shipments: [parcel('1', 2)] }));
    const now = (shipped: number, ...shipments: ChannelShipment[]) =>
      first(after(open, said(2, [line({ ordered: 6, shipped })], { shipments })));
    // Repacked as two parcels: the same pieces.
    expect(now(2, parcel('8', 1), parcel('9', 1)).shipped).toBe(2);
    expect(now(2, parcel('1', 2, 'cancelled'), parcel('8', 1), parcel('9', 1)).shipped).toBe(2);
    expect(now(3, parcel('8', 1), parcel('9', 2)).shipped).toBe(3);
    // Another parcel next to the old one counts even before the channel's count rises, and is not booked again when it does.
    const lagging = [parcel('1', 2), parcel('9', 2)];
    expect(now(2, ...lagging).shipped).toBe(4);
    const early = after(open, said(2, [line({ ordered: 6, shipped: 2 })], { shipments: lagging }));
    expect(mergeOrder(early, said(3, [line({ ordered: 6, shipped: 4 })], { shipments: lagging }))).toBe('same');
    // Our parcels that are not read back are in its count; the read-back books them.
    const ours = withAction(open, { kind: 'ship', state: 'submitted', reference: '5' }, 2);
    const seen = [parcel('5', 2), parcel('8', 1), parcel('9', 1)];
    const merged = first(after(ours, said(2, [line({ ordered: 6, shipped: 4 })], { shipments: seen })));
    expect(merged).toMatchObject({ shipped: 2, ship_waiting: 2 });
  });

  it('if several parcels hold the same pieces, a replacement is ambiguous and the numbers are kept', () => {
    const shipped = after(nothing, said(1, [line({ shipped: 2 })], { shipments: [parcel('1', 1), parcel('2', 1)] }));
    const full = after(shipped, said(2, [line({ shipped: 2, ordered: 2 })]));
    const later = (...shipments: ChannelShipment[]) =>
      mergeOrder(full, said(3, [line({ shipped: 2, ordered: 2 })], { shipments }));
    expect(later(parcel('9', 1))).toBe('same');
    expect(later(parcel('9', 1), parcel('8', 1))).toBe('same');
    expect(later(parcel('9', 2))).toBe('same');
    expect(later(parcel('2', 1), parcel('9', 1))).toMatchObject({ corrected: [{ id: 's0', tracking: 'T9' }] });
  });

  it('a delivery is recorded once in the history, with its time from the channel or derived from the parcels', () => {
    const shipped = after(nothing, said(1, [line({ shipped: 3 })], { shipments: [parcel('9', 3)] }));
    const eventsOf = (more: Partial<ChannelOrder>) => {
      const merge = mergeOrder(shipped, said(2, [line({ shipped: 3 })], more));
      if (typeof merge === 'string') throw new Error(merge);
      const again = mergeOrder(stored(shipped, merge), said(3, [line({ shipped: 3 })], more));
      return [merge.events.map(({ kind }) => kind), merge.order.delivered_at, again];
    };
    const shipments = [parcel('9', 3, 'delivered')];
    expect(eventsOf({ shipments, deliveredAt: at(2) })).toEqual([['delivered'], at(2), 'same']);
    expect(eventsOf({ deliveredAt: at(2) })).toEqual([['delivered'], at(2), 'same']);
    const [events, moment] = eventsOf({ shipments });
    expect([events, moment]).toEqual([['delivered'], at(2)]);
  });

  it('an order with one line cancelled and one shipped is shipped', () => {
    const two = after(nothing, said(1, [line({ ordered: 1 }), line({ line: '2', ordered: 1 })]));
    const merged = after(
      two,
      said(2, [line({ ordered: 1, shipped: 1 }), line({ line: '2', ordered: 1, cancelled: 1 })]),
    );
    expect(merged.order).toMatchObject({ state: 'shipped', open_pieces: 0, total_cents: 1000 });
  });

  it('a state without information on cancellation requests keeps those of the order and its lines', () => {
    const wish = line({ cancelRequest: { by: 'buyer', reason: 'zu spät' } });
    const asked = after(nothing, said(1, [wish], { hold: 'cancel_requested' }));
    expect(mergeOrder(asked, said(2, [line()], { hold: undefined }))).toBe('same');
    const less = mergeOrder(asked, said(3, [line({ cancelled: 1 })], { hold: undefined }));
    if (typeof less === 'string') throw new Error(less);
    expect([less.order.hold, less.lines[0]?.cancel_request, less.cancellations[0]?.by]).toEqual([
      'cancel_requested',
      'zu spät',
      'buyer',
    ]);
    const gone = after(asked, said(4, [line()], { hold: 'none' }));
    expect([gone.order.hold, first(gone).cancel_request]).toEqual(['none', '']);
  });

  it('a price that arrives later is stored, and the total is unknown until then', () => {
    const pending = after(nothing, said(1, [line({ unitCents: null })], { pending: true }));
    expect(pending.order).toMatchObject({ state: 'pending', total_cents: null });
    expect(after(pending, said(2, [line()])).order).toMatchObject({ state: 'open', total_cents: 3000 });
  });

  it('for any states in any order, counters stay consistent and never decrease', () => {
    const quantity = fc.integer({ min: 0, max: 4 });
    const state = fc.record({
      minute: fc.integer({ min: 0, max: 9 }),
      ordered: quantity,
      shipped: quantity,
      cancelled: quantity,
      parcels: fc.array(
        fc.record({ reference: fc.constantFrom('', '1', '2', '3'), quantity: fc.integer({ min: 1, max: 4 }) }),
        { maxLength: 2 },
      ),
      ours: fc.option(fc.record({ kind: fc.constantFrom('ship', 'cancel'), state: fc.constantFrom('new', 'unknown') })),
    });
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 8 }), (states) => {
        let record = nothing;
        for (const { minute, ordered, shipped, cancelled, parcels, ours } of states) {
          const before = record.lines[0];
          record = after(
            record,
            said(minute, [line({ ordered, shipped, cancelled })], {
              shipments: parcels.map((one) => parcel(one.reference, one.quantity)),
            }),
          );
          const now = first(record);
          for (const counter of ['ordered', 'shipped', 'cancelled'] as const)
            expect(now[counter]).toBeGreaterThanOrEqual(before?.[counter] ?? 0);
          const { ship_waiting, cancel_waiting } = now;
          expect(now.shipped + now.cancelled + ship_waiting + cancel_waiting).toBeLessThanOrEqual(now.ordered);
          expect(Math.min(ship_waiting, cancel_waiting)).toBeGreaterThanOrEqual(0);
          const booked = record.shipments.flatMap(({ lines }) => lines).reduce((sum, one) => sum + one.quantity, 0);
          expect(booked).toBe(now.shipped);
          const free = now.ordered - now.shipped - now.cancelled - ship_waiting - cancel_waiting;
          if (ours !== null && free > 0)
            record = withAction(record, { kind: ours.kind, state: ours.state, reference: '' }, 1);
        }
      }),
      { numRuns: 400 },
    );
  });
});
