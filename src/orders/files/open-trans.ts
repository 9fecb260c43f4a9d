import { centsOfAmount, pieceOfPrice } from '#marketplaces/amounts.ts';
import { unprocessable } from '#platform/errors.ts';
import type { Person } from '#shared/orders/persons.ts';
import { countryCode } from './countries.ts';
import { all, find, readXml, textAt, type XmlNode } from './xml-tree.ts';
import { momentOf } from './moments.ts';
import type { DraftOrder, OrderFile } from './order-file.ts';
import { taxRate } from './tax-rate.ts';

/**
 * Orders of openTRANS 2.1 documents (and CHECK24's dialect of it): ORDER, and ORDERCHANGE by which a buyer asks to cancel. Prices are
 * net unless the document says gross, as the standard has it; CHECK24 writes gross prices.
 */
export function readOpenTrans(text: string): OrderFile {
  const document = readXml(text);
  const orders = document.name === 'ORDER' ? [document] : all(document, 'ORDER');
  const changes = document.name === 'ORDERCHANGE' ? [document] : all(document, 'ORDERCHANGE');
  if (orders.length === 0 && changes.length === 0)
    throw unprocessable('no_order', 'Die Datei enthält keine Bestellung (ORDER). Es wurde nichts gespeichert.');
  return {
    orders: orders.map(orderOf),
    cancelRequests: changes
      .filter(wantsToCancel)
      .map((change) => textAt(change, 'ORDERCHANGE_HEADER', 'ORDERCHANGE_INFO', 'ORDER_ID')),
  };
}

const wantsToCancel = (change: XmlNode): boolean =>
  all(change, 'REMARKS').some(
    ({ attributes, text }) => attributes['type'] === 'action' && text.trim() === 'cancellationrequest',
  );

function orderOf(order: XmlNode): DraftOrder {
  const info = find(order, 'ORDER_HEADER', 'ORDER_INFO');
  const control = find(order, 'ORDER_HEADER', 'CONTROL_INFO');
  if (info === undefined)
    throw unprocessable('no_order', 'Einer Bestellung fehlt ORDER_INFO. Es wurde nichts gespeichert.');
  const isGross = control !== undefined && textAt(control, 'GENERATOR_INFO') === 'CHECK24';
  const delivery = partyOf(info, ['delivery', 'buyer']);
  const shipping = all(info, 'REMARKS').find(({ attributes }) => attributes['type'] === 'shippingfee');
  const lines = all(order, 'ORDER_ITEM').map((item) => lineOf(item, isGross));
  const fee = centsOfAmount(shipping?.text.trim() ?? '') ?? 0;
  const [first] = lines;
  if (first !== undefined) first.shipping_cents = fee;
  return {
    orderid: textAt(info, 'ORDER_ID'),
    placed_at: momentOf(textAt(info, 'ORDER_DATE')),
    ship_by: momentOf(textAt(info, 'DELIVERY_DATE', 'DELIVERY_START_DATE')) || undefined,
    deliver_by: momentOf(textAt(info, 'DELIVERY_DATE', 'DELIVERY_END_DATE')) || undefined,
    currency: textAt(info, 'CURRENCY') || 'EUR',
    country: delivery?.country ?? '',
    buyer_order_number: textAt(info, 'CUSTOMER_ORDER_REFERENCE', 'ORDER_ID'),
    lines,
    persons: {
      ...(delivery === undefined ? {} : { delivery }),
      ...someone('invoice', partyOf(info, ['invoice_recipient', 'invoice_issuer', 'invoice'])),
    },
  };
}

const someone = (role: 'invoice', person: Person | undefined) => (person === undefined ? {} : { [role]: person });

function lineOf(item: XmlNode, isGross: boolean): DraftOrder['lines'][number] {
  const price = find(item, 'PRODUCT_PRICE_FIX');
  const tax = taxRate(textAt(item, 'PRODUCT_PRICE_FIX', 'TAX_DETAILS_FIX', 'TAX'));
  const amount = price === undefined ? '' : textAt(price, 'PRICE_AMOUNT');
  const gross = isGross || price?.attributes['type']?.startsWith('gros') === true || tax === null;
  const factor = 10_000 + (gross ? 0 : (tax ?? 0));
  const ordered = Number(textAt(item, 'QUANTITY'));
  return {
    productid: textAt(item, 'LINE_ITEM_ID'),
    sku: textAt(item, 'PRODUCT_ID', 'SUPPLIER_PID'),
    title: textAt(item, 'PRODUCT_ID', 'DESCRIPTION_SHORT'),
    ordered,
    ...priceOf(amount, { ordered, factor, of: Number(textAt(item, 'PRODUCT_PRICE_FIX', 'PRICE_QUANTITY') || 1) }),
    tax_rate: tax,
    shipping_cents: 0,
  };
}

/** The price of one piece, times `factor` / 10,000; `of`: it is one for so many. What rounding adds to the pieces is their discount. */
function priceOf(
  amount: string,
  { ordered, factor, of }: { ordered: number; factor: number; of: number },
): Pick<DraftOrder['lines'][number], 'unit_cents' | 'discount_cents'> {
  const piece = pieceOfPrice(amount, ordered, { of, factor });
  if (piece !== null) return { unit_cents: piece.unit, discount_cents: piece.discount };
  // Below nothing: a voucher, which is taken off the other lines.
  const cents = centsOfAmount(amount);
  return { unit_cents: cents === null ? null : Math.round((cents * factor) / 10_000) };
}

/** The address of the first party that has one of these roles, in this order. */
function partyOf(info: XmlNode, roles: readonly string[]): Person | undefined {
  const parties = find(info, 'PARTIES')?.children ?? [];
  for (const role of roles) {
    const party = parties.find((one) =>
      one.children.some(({ name, text }) => name === 'PARTY_ROLE' && text.trim() === role),
    );
    const address = party && find(party, 'ADDRESS');
    if (address !== undefined) return personOf(address);
  }
  return undefined;
}

function personOf(address: XmlNode): Person {
  const names = ['NAME', 'NAME2', 'NAME3'].map((name) => textAt(address, name)).filter((name) => name !== '');
  const [name = '', ...others] = names;
  return {
    name,
    company: '',
    lines: [...others, textAt(address, 'STREET')].filter((line) => line !== ''),
    postalCode: textAt(address, 'ZIP'),
    city: textAt(address, 'CITY'),
    region: textAt(address, 'STATE'),
    country: countryOf(textAt(address, 'COUNTRY_CODED')) || countryCode(textAt(address, 'COUNTRY')),
    email: textAt(address, 'EMAIL'),
    phone: textAt(address, 'PHONE'),
  };
}

/** Two or three letters, or a region behind its country: DE-BY. */
const countryOf = (coded: string): string => countryCode(coded) || countryCode(coded.split('-', 1)[0] ?? '');
