import type { ChannelOrder } from '#marketplaces/orders-port.ts';
import { bareTracking } from '#shared/orders/tracking-number.ts';

/** Removes what a text column cannot store: NUL and lone surrogates. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Returns an order with texts that can be stored; contradicting counts are reduced to the ordered quantity. */
export function cleanOrder(order: ChannelOrder): ChannelOrder {
  return {
    ...order,
    order: clean(order.order),
    rawState: clean(order.rawState),
    country: clean(order.country),
    taxScheme: clean(order.taxScheme),
    programs: order.programs.map(clean),
    buyerOrderNumber: clean(order.buyerOrderNumber),
    replaces: clean(order.replaces),
    lines: order.lines.map((line) => {
      const ordered = Math.max(0, line.ordered);
      const shipped = Math.min(Math.max(0, line.shipped), ordered);
      return {
        ...line,
        line: clean(line.line),
        sku: clean(line.sku),
        title: clean(line.title),
        productId: clean(line.productId),
        ordered,
        shipped,
        cancelled: Math.min(Math.max(0, line.cancelled), ordered - shipped),
        cancelRequest: line.cancelRequest && { ...line.cancelRequest, reason: clean(line.cancelRequest.reason) },
      };
    }),
    shipments: order.shipments?.map((parcel) => ({
      ...parcel,
      reference: clean(parcel.reference),
      carrier: clean(parcel.carrier),
      tracking: bareTracking(clean(parcel.tracking)),
      lines: parcel.lines.filter(({ quantity }) => quantity > 0),
    })),
  };
}
