import type { ActionAnswer, ChannelOrder, ChannelShipment, Evidence, ShipAction } from '#marketplaces/orders-port.ts';
import { MarketplaceError, type Issue } from '#marketplaces/port.ts';
import type { AmazonClient } from '#marketplaces/amazon/client.ts';
import type { AmazonAccount } from '#marketplaces/amazon/settings.ts';
import { issueOf } from './refusals.ts';

export const shipRate = { perSecond: 2, burst: 10 };
/** Our carriers for which Amazon has a code. */
export const CARRIERS = ['DHL', 'DPD', 'GLS'] as const;
/** How long it may take until Amazon shows a confirmed parcel. */
const VISIBLE_AFTER_MS = 15 * 60_000;

/** Returns the body of confirmShipment for one parcel. */
export function confirmation({ marketplace }: AmazonAccount, action: ShipAction) {
  const { reference, carrier, tracking, shippedAt, lines } = action;
  const code = CARRIERS.find((one) => one === carrier.trim().toUpperCase());
  return {
    marketplaceId: marketplace,
    packageDetail: {
      packageReferenceId: reference,
      ...(code === undefined ? { carrierCode: 'Other', carrierName: carrier.trim() } : { carrierCode: code }),
      trackingNumber: tracking.trim(),
      shipDate: shippedAt.toISOString(),
      orderItems: lines.map(({ line, quantity }) => ({ orderItemId: line, quantity })),
    },
  };
}

export const confirmationPath = (order: string): string =>
  `/orders/v0/orders/${encodeURIComponent(order)}/shipmentConfirmation`;

/** Confirms one parcel; sending the same reference again changes it. @throws MarketplaceError */
export async function ship(
  client: AmazonClient,
  account: AmazonAccount,
  action: ShipAction,
  signal: AbortSignal | undefined,
): Promise<ActionAnswer> {
  const { reference } = action;
  const issue = unsendable(action);
  if (issue !== undefined) return { state: 'refused', reference, issues: [issue] };
  try {
    await client.tell({
      method: 'POST',
      path: confirmationPath(action.order),
      body: confirmation(account, action),
      access: 'write',
      operation: 'confirmShipment',
      about: 'order',
      perSecond: shipRate.perSecond,
      signal,
    });
  } catch (error) {
    if (!(error instanceof MarketplaceError) || error.kind !== 'permanent') throw error;
    return { state: 'refused', reference, issues: [issueOf(error)] };
  }
  return { state: 'done', reference, issues: [] };
}

/** Returns what Amazon would refuse in a parcel, so that it is not sent. */
function unsendable({ reference, carrier, tracking, lines }: ShipAction): Issue | undefined {
  if (!/^[1-9]\d{0,8}$/u.test(reference))
    return { code: 'reference', message: 'Die Nummer der Sendung muss eine Zahl ab 1 sein.', field: 'reference' };
  if (carrier.trim() === '')
    return { code: 'carrier', message: 'Amazon verlangt einen Versanddienst.', field: 'carrier' };
  if (tracking.trim() === '')
    return { code: 'tracking', message: 'Amazon verlangt eine Sendungsnummer.', field: 'tracking' };
  if (lines.length === 0) return { code: 'lines', message: 'Die Sendung enthält keine Position.', field: 'lines' };
  return undefined;
}

/** Returns what a freshly read order shows of a parcel that was sent at `sent.at`. */
export function shipmentEvidence(
  order: ChannelOrder | undefined,
  action: ShipAction,
  sent: { at: Date; now: Date },
): Evidence {
  const found = order?.shipments?.filter(({ state }) => state !== 'cancelled') ?? [];
  const ours = found.find((one) => one.reference === action.reference) ?? found.find((one) => isSame(one, action));
  if (ours !== undefined && isSame(ours, action)) return { state: 'done', reference: ours.reference, issues: [] };
  const reference = action.reference;
  if (order?.shipments === undefined || sent.now.getTime() - sent.at.getTime() < VISIBLE_AFTER_MS)
    return { state: 'unclear', reference, issues: [] };
  if (ours === undefined) {
    if (isOpen(order, action)) return { state: 'absent', reference, issues: [] };
    const message =
      'Amazon zeigt weniger offene Stücke, als die Sendung enthält: sie wurden storniert oder anders versandt.';
    return { state: 'refused', reference, issues: [{ code: 'not_open', message, field: 'lines' }] };
  }
  // It may be another program's parcel: sending ours again under its number would overwrite it.
  const message = `Amazon zeigt unter Sendung ${reference} einen anderen Inhalt oder eine andere Sendungsnummer.`;
  return { state: 'refused', reference, issues: [{ code: 'other_parcel', message, field: 'reference' }] };
}

/** Whether the order still has these pieces open. The buyer may have cancelled them while the parcel's outcome was unknown. */
const isOpen = ({ lines }: ChannelOrder, action: ShipAction): boolean =>
  action.lines.every(({ line, quantity }) => {
    const orderLine = lines.find((one) => one.line === line);
    return orderLine === undefined || orderLine.ordered - orderLine.shipped - orderLine.cancelled >= quantity;
  });

const plain = (text: string) => text.replaceAll(/[\s-]/gu, '').toUpperCase();

/** Whether both are the same parcel, by tracking number and pieces: Amazon changes the spelling of carriers. */
function isSame(shipment: ChannelShipment, { tracking, lines }: ShipAction): boolean {
  const pieces = (list: ShipAction['lines']) => {
    const sums = new Map<string, number>();
    for (const { line, quantity } of list) sums.set(line, (sums.get(line) ?? 0) + quantity);
    return JSON.stringify([...sums].map(([line, quantity]) => `${line} ${quantity}`).toSorted());
  };
  return plain(shipment.tracking) === plain(tracking) && pieces(shipment.lines) === pieces(lines);
}
