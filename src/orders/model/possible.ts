import type { ActionKind, OrderSupport } from '#marketplaces/orders-port.ts';
import { cancelReasons, carriers, returnReasons } from '#shared/orders/schema.ts';
import { openPieces, returnablePieces, type StoredLine, type StoredOrder } from './order-record.ts';

/** Actions possible for a channel fed by file: no marketplace is called, the merchant informs the channel himself. */
export const fileSupport: OrderSupport = {
  actions: {
    ship: { reasons: [], readBack: 'full', repeat: 'safe', asynchronous: false },
    cancel: { reasons: Object.keys(cancelReasons), readBack: 'full', repeat: 'safe', asynchronous: false },
    return: { reasons: Object.keys(returnReasons), readBack: 'full', repeat: 'safe', asynchronous: false },
    refund: { reasons: [], readBack: 'full', repeat: 'safe', asynchronous: false },
  },
  cancelScope: 'quantity',
  partialShip: true,
  returnTracking: 'ignored',
  carriers,
  otherCarriers: true,
  rates: {
    changes: { perSecond: 1, burst: 1 },
    order: { perSecond: 1, burst: 1 },
    act: { perSecond: 1, burst: 1 },
    stock: { perSecond: 1, burst: 1 },
  },
  stockBatch: 1,
};

/** What a channel supports. `gone`: it was deleted; nothing is sent to it or comes from it. */
export type ChannelSupport = OrderSupport & { readonly gone?: true };
export const goneSupport: ChannelSupport = { ...fileSupport, gone: true };

const cannot: Readonly<Record<ActionKind, string>> = {
  ship: 'Dieser Kanal nimmt keine Versandmeldung an.',
  cancel: 'Bei diesem Kanal kann nicht von hier storniert werden.',
  return: 'Dieser Kanal nimmt keine Retouren von hier an.',
  refund: 'Dieser Kanal nimmt keine Erstattung von hier an.',
};

/**
 * Returns why an action of this kind is refused for an order, as a text for people; undefined if it is allowed. `support`
 * undefined: the account's marketplace is unknown to the program or its connector cannot be opened.
 */
export function orderRefusal(
  kind: ActionKind,
  order: StoredOrder,
  support: ChannelSupport | undefined,
): string | undefined {
  if (support === undefined)
    return 'Der Marktplatz dieser Bestellung ist gerade nicht erreichbar, oder er nimmt keine Bestellungen von hier an.';
  if (support.actions[kind] === undefined) return cannot[kind];
  const cancelRequested = order.hold === 'cancel_requested' && order.wish_declined_at === null;
  if (kind === 'ship' && cancelRequested)
    return 'Der Käufer möchte stornieren. Stornieren Sie, oder entscheiden Sie zuerst, dass trotzdem versendet wird.';
  // A deleted channel will never release a held order: people record here what happened to it.
  return support.gone === true ? undefined : heldThere(kind, order);
}

/** Returns the channel's reason against it. */
function heldThere(kind: ActionKind, order: StoredOrder): string | undefined {
  if (order.fulfilled_by === 'marketplace') return 'Diese Bestellung versendet der Marktplatz selbst.';
  if (kind === 'ship') {
    if (!order.confirmable) return 'Der Marktplatz nimmt zu dieser Bestellung keine Versandmeldung von uns an.';
    if (order.pending) return 'Die Bestellung ist noch nicht zum Versand freigegeben.';
    if (order.hold === 'fraud') return 'Der Marktplatz prüft diese Bestellung; sie darf noch nicht versendet werden.';
  }
  if (kind === 'cancel' && order.pending && order.source === 'marketplace')
    return 'Die Bestellung ist noch nicht freigegeben; sie kann erst danach storniert werden.';
  return undefined;
}

/** Returns why an action of this kind is refused for a line; undefined if it is allowed. */
export function lineRefusal(
  kind: ActionKind,
  order: StoredOrder,
  line: StoredLine,
  support: ChannelSupport | undefined,
): string | undefined {
  const refusal = orderRefusal(kind, order, support);
  if (refusal !== undefined) return refusal;
  if (kind === 'ship' || kind === 'cancel') {
    return openPieces(line) > 0 ? undefined : noneOpen(line.ship_waiting + line.cancel_waiting > 0);
  }
  if (kind === 'return') {
    if (returnablePieces(line) > 0) return undefined;
    return line.shipped === 0 ? 'Es wurde noch nichts versandt.' : 'Alle versandten Stücke sind schon zurückgenommen.';
  }
  return line.unit_cents === null ? 'Der Preis dieser Position ist noch nicht bekannt.' : undefined;
}

const noneOpen = (someWaiting: boolean) =>
  someWaiting ? 'Alle offenen Stücke sind schon in Bearbeitung.' : 'Es ist kein Stück mehr offen.';

/** Returns why the open pieces of an order cannot be shipped in one parcel; undefined if they can. */
export function parcelRefusal(
  order: StoredOrder,
  openInAllLines: number,
  support: ChannelSupport | undefined,
): string | undefined {
  const refusal = orderRefusal('ship', order, support);
  if (refusal !== undefined || openInAllLines > 0) return refusal;
  return noneOpen(order.open_pieces > 0);
}
