import { z } from 'zod';
import { refused, type Answer, type Behind, type SandboxRequest } from '#marketplaces/sandbox/exchange.ts';
import { between, happens } from '#marketplaces/sandbox/faults.ts';
import { openPieces, shippedPieces, stateOf, type SandboxOrder, type SandboxParcel } from './order.ts';

const Confirmation = z.object({
  marketplaceId: z.string(),
  packageDetail: z.object({
    packageReferenceId: z.string(),
    carrierCode: z.string().min(1),
    carrierName: z.string().optional(),
    trackingNumber: z.string().min(1),
    shipDate: z.string(),
    orderItems: z.array(z.object({ orderItemId: z.string(), quantity: z.number().int().positive() })).min(1),
  }),
});
type Detail = z.infer<typeof Confirmation>['packageDetail'];

/** Programs whose parcels the marketplace announces itself. */
const OWN_CONFIRMATION = new Set(['FBM_SHIP_PLUS', 'AMAZON_EASY_SHIP', 'DELIVERY_BY_AMAZON']);
const HOUR = 3_600_000;
const invalid = (message: string) => refused(400, 'InvalidInput', message);
const NOTHING_LEFT =
  'Failed to create package due to not finding a matching package or order already fulfilled. ErrorMessage(errorCode=GeneralError, errorMetric=PackageToUpdateNotFound)';

const confirmPath = /^\/orders\/v0\/orders\/([^/]+)\/shipmentConfirmation$/u;

/** Answers confirmShipment: one parcel; its number again changes it. Stricter than Amazon's own sandbox, which keeps no state. */
export function confirmShipment(behind: Behind, { url, body }: SandboxRequest): Answer {
  const id = decodeURIComponent(confirmPath.exec(url.pathname)?.[1] ?? '');
  const order = behind.book.orders.get(id);
  const parsed = Confirmation.safeParse(body);
  if (!parsed.success) return invalid(wordsOf(parsed.error));
  if (order === undefined) return refused(404, 'NotFound', `Order ${id} was not found.`);
  const { marketplaceId, packageDetail: detail } = parsed.data;
  if (marketplaceId !== behind.place.marketplace) return invalid('MarketplaceId is invalid.');
  const wrong = wrongForm(detail, order, behind.now()) ?? wrongState(order, behind.now());
  if (wrong !== undefined) return invalid(wrong);
  const known = order.parcels.find(({ reference }) => reference === detail.packageReferenceId);
  const excess = excessOf(order, detail, known);
  if (excess !== undefined) return refuseExcess(behind, order, excess);
  if (known?.delivered === true) return invalid(NOTHING_LEFT);
  if (happens(behind.chance, behind.faults().ignored)) return { status: 204 };
  keepParcel(behind, order, detail, known);
  return { status: 204 };
}

/** Returns the error text of an invalid body in Amazon's words. */
function wordsOf(error: z.ZodError): string {
  const path = error.issues[0]?.path.map(String) ?? [];
  if (path.includes('orderItems')) return 'OrderItemId is invalid.';
  const field = path.length === 0 ? 'body' : path.join('.');
  return `The input you have submitted is not valid. Please check the fields with invalid type [${field}].`;
}

function wrongForm(detail: Detail, order: SandboxOrder, now: number): string | undefined {
  const shipped = z.iso.datetime({ offset: true }).safeParse(detail.shipDate);
  if (!shipped.success) return 'Invalid Input';
  if (Date.parse(shipped.data) > now + 24 * HOUR || Date.parse(shipped.data) < order.at - HOUR)
    return 'ShipDate is out of range.';
  if (!/^[1-9]\d*$/u.test(detail.packageReferenceId))
    return 'PackageReferenceId: is invalid, must be a positive numeric value.';
  if (detail.carrierCode === 'Other' && (detail.carrierName ?? '') === '') return 'CarrierName is required.';
  if (detail.orderItems.some(({ orderItemId }) => !order.lines.some((line) => line.id === orderItemId)))
    return 'OrderItemId is invalid.';
  return undefined;
}

function wrongState(order: SandboxOrder, now: number): string | undefined {
  if (order.byAmazon) return 'The order is fulfilled by Amazon.';
  if (order.programs.some((one) => OWN_CONFIRMATION.has(one)))
    return 'This order does not require a shipment confirmation.';
  const state = stateOf(order, now);
  if (state === 'PENDING') return 'The order is pending and cannot be shipped.';
  return state === 'CANCELLED' ? 'The order is cancelled.' : undefined;
}

/** Pieces of a line beyond what may be shipped. `again`: those already in another parcel; the others were cancelled meanwhile. */
type Excess = { line: string; again: number };

/** Returns the first line of which the parcel holds more than may be shipped. */
function excessOf(order: SandboxOrder, detail: Detail, known: SandboxParcel | undefined): Excess | undefined {
  for (const line of order.lines) {
    const wanted = detail.orderItems.reduce((sum, one) => sum + (one.orderItemId === line.id ? one.quantity : 0), 0);
    if (wanted <= openPieces(order, line, known)) continue;
    const before = shippedPieces(order, line.id, known);
    return { line: line.id, again: Math.min(before, Math.max(0, wanted + before - line.ordered)) };
  }
  return undefined;
}

/** Refuses the parcel. Pieces already in another parcel count as shipped twice, which the program must never request. */
function refuseExcess({ counters }: Behind, order: SandboxOrder, { line, again }: Excess): Answer {
  counters.shippedTwice += again;
  const left = order.lines.some((one) => openPieces(order, one) > 0);
  return invalid(left ? `The quantity of item ${line} exceeds what is left to ship.` : NOTHING_LEFT);
}

function keepParcel(behind: Behind, order: SandboxOrder, detail: Detail, known: SandboxParcel | undefined): void {
  const { book, chance, counters, faults } = behind;
  const now = behind.now();
  const late = happens(chance, faults().packageLate) ? between(chance, 1, 6) * 60_000 : 0;
  const parcel: SandboxParcel = {
    reference: detail.packageReferenceId,
    carrier: detail.carrierCode === 'Other' ? (detail.carrierName ?? '') : detail.carrierCode,
    tracking: detail.trackingNumber,
    shippedAt: Date.parse(detail.shipDate),
    confirmedAt: known?.confirmedAt ?? now,
    visibleFrom: known?.visibleFrom ?? now + late,
    delivered: false,
    items: detail.orderItems.map(({ orderItemId, quantity }) => ({ line: orderItemId, quantity })),
  };
  if (known === undefined) {
    counters.shipments++;
    if (now > order.shipBy) counters.late++;
    order.parcels.push(parcel);
    book.shipped(order);
    return;
  }
  counters.edits++;
  order.parcels[order.parcels.indexOf(known)] = parcel;
  book.touched(order);
}
