import { centsOfAmount, pieceOfPrice } from '#marketplaces/amounts.ts';
import { unprocessable } from '#platform/errors.ts';
import { readAmount } from '#orders/files/amounts/amounts.ts';
import { orderedIn, piecesFault, pricedIn, priceIn } from './open-trans-pieces.ts';
import { partiesOf } from './open-trans-parties.ts';
import { shownCell } from '#orders/files/rejection-text.ts';
import { all, allApart, find, textAt, type XmlNode } from '#platform/text/xml-tree.ts';
import { momentOf } from '#orders/files/days/moments.ts';
import type { OrderFormat } from '#orders/files/formats/order-format.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';
import { taxRate } from '#orders/files/amounts/net-amounts.ts';

/**
 * Parses openTRANS documents (2.1, CHECK24's dialect of it, and 1.0): ORDER, and ORDERCHANGE by which a buyer requests a
 * cancellation. Prices are net unless the document says gross, as in the standard; CHECK24 writes gross prices.
 */
export const openTrans: OrderFormat<XmlNode> = {
  name: 'openTRANS (ORDER, ORDERCHANGE)',
  read: (document) => {
    const orders = document.name === 'ORDER' ? [document] : allApart(document, 'ORDER');
    const changes = document.name === 'ORDERCHANGE' ? [document] : allApart(document, 'ORDERCHANGE');
    if (orders.length === 0 && changes.length === 0) return undefined;
    const others = changes.filter((change) => !isWishToCancel(change));
    return {
      orders: orders.map(orderOf),
      cancelRequests: changes.filter(isWishToCancel).map(changedOrder),
      rejected: others.map((change) => ({ orderid: changedOrder(change), message: changeText(change) })),
    };
  },
};

/** Returns the actions that a change requests. */
const actionsOf = (change: XmlNode): string[] =>
  all(change, 'REMARKS')
    .filter(({ attributes }) => attributes['type'] === 'action')
    .map(({ text }) => text.trim().toLowerCase());

const isWishToCancel = (change: XmlNode): boolean => actionsOf(change).includes('cancellationrequest');

const changedOrder = (change: XmlNode): string => textAt(change, 'ORDERCHANGE_HEADER', 'ORDERCHANGE_INFO', 'ORDER_ID');

/** Quotes only an action's keyword: free text may contain personal data. */
function changeText(change: XmlNode): string {
  const action = actionsOf(change).find((text) => /^[a-z_]{1,40}$/.test(text));
  return `Das Dokument ändert eine Bestellung (ORDERCHANGE${action === undefined ? '' : `, „${action}“`}). Gelesen wird davon nur der Stornowunsch eines Käufers: Es wurde nichts geändert. Bitte tragen Sie die Änderung bei der Bestellung selbst ein.`;
}

function orderOf(order: XmlNode): DraftOrder {
  const info = find(order, 'ORDER_HEADER', 'ORDER_INFO');
  if (info === undefined)
    throw unprocessable('no_order', 'Einer Bestellung fehlt ORDER_INFO. Es wurde nichts gespeichert.');
  const isCheck24 = textAt(order, 'ORDER_HEADER', 'CONTROL_INFO', 'GENERATOR_INFO') === 'CHECK24';
  const persons = partiesOf(info, isCheck24);
  const items = allApart(order, 'ORDER_ITEM');
  const lines = items.map((item) => lineOf(item, isCheck24));
  const [first] = lines;
  if (first !== undefined) first.shipping_cents = shippingOf(info);
  const unread = items.map(amountOf).find(({ text, exact }) => text !== '' && exact === '');
  return {
    orderid: textAt(info, 'ORDER_ID'),
    placed_at: momentOf(textAt(info, 'ORDER_DATE')),
    ship_by: momentOf(textAt(info, 'DELIVERY_DATE', 'DELIVERY_START_DATE')) || undefined,
    deliver_by: momentOf(textAt(info, 'DELIVERY_DATE', 'DELIVERY_END_DATE')) || undefined,
    currency: textAt(info, 'CURRENCY') || textAt(info, 'PRICE_CURRENCY') || 'EUR',
    country: persons.delivery?.country ?? '',
    buyer_order_number: textAt(info, 'CUSTOMER_ORDER_REFERENCE', 'ORDER_ID'),
    lines,
    persons,
    fault: unread === undefined ? piecesFault(items) : unreadText(unread.text),
  };
}

const unreadText = (price: string): string =>
  `Der Preis „${shownCell(price)}“ ist kein Betrag. Bitte schreiben Sie ihn so: 1234.50`;

/** Returns the shipping cost, which CHECK24 and pixi write among their remarks. */
function shippingOf(info: XmlNode): number {
  const remarks = [...all(info, 'REMARKS'), ...all(info, 'REMARK')];
  const fee = remarks.find(({ attributes }) => /^shipping(?:fee)?$/i.test(attributes['type'] ?? ''));
  return centsOfAmount(fee?.text.trim() ?? '') ?? 0;
}

/** `exact`: the amount with a decimal point, as in the standard; programs write commas too. '': no amount. */
function amountOf(item: XmlNode): { text: string; exact: string } {
  const price = priceIn(item);
  const text = price === undefined ? '' : textAt(price, 'PRICE_AMOUNT');
  return { text, exact: /^-?\d+(?:\.\d+)?$/.test(text) ? text : readAmount(text, '').exact };
}

function lineOf(item: XmlNode, isCheck24: boolean): DraftOrder['lines'][number] {
  const price = priceIn(item);
  const tax = price && taxRate(textAt(price, 'TAX_DETAILS_FIX', 'TAX') || textAt(price, 'TAX'));
  const isGross = isCheck24 || price?.attributes['type']?.includes('gros') === true || typeof tax !== 'number';
  const factor = 10_000 + (isGross ? 0 : tax);
  const ordered = orderedIn(item).count;
  const product = find(item, 'PRODUCT_ID') ?? find(item, 'ARTICLE_ID');
  const named = (name: string) => (product === undefined ? '' : textAt(product, name));
  return {
    productid: textAt(item, 'LINE_ITEM_ID'),
    sku: named('SUPPLIER_PID') || named('SUPPLIER_AID'),
    title: named('DESCRIPTION_SHORT'),
    ordered,
    ...priceOf(amountOf(item).exact, { ordered, factor, of: pricedIn(item).count }),
    tax_rate: tax ?? null,
    shipping_cents: 0,
  };
}

/**
 * Returns the price of one piece, times `factor` / 10,000; `of`: the number of pieces that the price is for. What rounding adds
 * is their discount.
 */
function priceOf(
  amount: string,
  { ordered, factor, of }: { ordered: number; factor: number; of: number },
): Pick<DraftOrder['lines'][number], 'unit_cents' | 'discount_cents'> {
  const piece = pieceOfPrice(amount, ordered, { of, factor });
  if (piece !== null) return { unit_cents: piece.unit, discount_cents: piece.discount };
  // Below zero: a voucher, which is subtracted from the other lines.
  const cents = centsOfAmount(amount);
  return { unit_cents: cents === null ? null : Math.round((cents * factor) / 10_000) };
}
