import type { Person } from '#shared/orders/persons.ts';
import { countryCode } from '#orders/files/address/countries.ts';
import { readAmount } from '#orders/files/amounts/amounts.ts';
import { isMoment, momentOf } from '#orders/files/days/moments.ts';
import { percentRate } from '#orders/files/amounts/net-amounts.ts';
import type { OrderFormat } from '#orders/files/formats/order-format.ts';
import type { DraftOrder } from '#orders/files/order-file.ts';
import { shownCell } from '#orders/files/rejection-text.ts';
import { allApart, find, textAt, type XmlNode } from '#platform/text/xml-tree.ts';

/** Orders of Afterbuy, as its call GetSoldItems answers. Prices have tax and a comma; a moment of delivery is when the parcel went. */
export const afterbuy: OrderFormat<XmlNode> = {
  name: 'verkaufte Artikel von Afterbuy (GetSoldItems)',
  read: (document) => {
    const orders = document.name === 'Afterbuy' ? allApart(document, 'Order') : [];
    // An order without items beside others is rejected by name; a file of those alone is another answer of Afterbuy.
    if (!orders.some((order) => find(order, 'SoldItems'))) return undefined;
    return { orders: orders.map(orderOf), cancelRequests: [] };
  },
};

function orderOf(order: XmlNode): DraftOrder {
  const items = allApart(order, 'SoldItem');
  const currencies = new Set(items.map(currencyOf));
  const [currency = 'EUR'] = currencies;
  const delivery = addressOf(order, 'ShippingAddress');
  const invoice = addressOf(order, 'BillingAddress');
  const receiver = delivery ?? invoice;
  const shipping = shippingOf(order, currency);
  const lines = items.map((item) => lineOf(item, isMoment(textAt(order, 'ShippingInfo', 'DeliveryDate'))));
  return {
    orderid: textAt(order, 'OrderID'),
    placed_at: momentOf(textAt(order, 'OrderDate')),
    currency,
    country: receiver?.country ?? '',
    buyer_order_number: '',
    lines: lines.map((line, at) => (at === 0 ? { ...line, shipping_cents: centsOf(shipping) ?? 0 } : line)),
    persons: { ...(receiver && { delivery: receiver }), ...(invoice && { invoice }) },
    fault: currencies.size > 1 ? severalCurrencies : faultOf(items, shipping),
  };
}

const severalCurrencies =
  'Die Positionen der Bestellung haben verschiedene Währungen. Eine Bestellung hat hier nur eine.';

const centsOf = (text: string): number | null => readAmount(text, '', ',').cents;
/** Amounts are in euro; beside them stands what the buyer paid in another currency. */
function currencyOf(item: XmlNode): string {
  const code = textAt(item, 'ItemOriginalCurrency', 'ItemPriceCode').toUpperCase();
  return /^[A-Z]{3}$/.test(code) ? code : 'EUR';
}
const priceIn = (item: XmlNode): string =>
  currencyOf(item) === 'EUR' ? textAt(item, 'ItemPrice') : textAt(item, 'ItemOriginalCurrency', 'ItemPrice');

function shippingOf(order: XmlNode, currency: string): string {
  if (currency !== 'EUR') return textAt(order, 'OrderOriginalCurrency', 'ShippingAmount');
  return textAt(order, 'ShippingInfo', 'ShippingTotalCost') || textAt(order, 'ShippingInfo', 'ShippingCost');
}

function lineOf(item: XmlNode, isSent: boolean): DraftOrder['lines'][number] {
  const ordered = Number(textAt(item, 'ItemQuantity') || Number.NaN);
  return {
    productid: textAt(item, 'ItemID'),
    sku: skuOf(item),
    title: textAt(item, 'ItemTitle'),
    ordered,
    unit_cents: centsOf(priceIn(item)),
    tax_rate: percentRate(textAt(item, 'TaxRate')),
    shipping_cents: 0,
    ...(isSent && { shipped: ordered }),
  };
}

/** The number of the product in Afterbuy's own catalogue; without a product there what the shop or the listing calls it. */
function skuOf(item: XmlNode): string {
  const numbers = [
    textAt(item, 'ShopProductDetails', 'Anr'),
    textAt(item, 'AlternativeItemNumber1'),
    textAt(item, 'AlternativeItemNumber'),
    textAt(item, 'Anr'),
    textAt(item, 'ShopProductDetails', 'EAN'),
  ];
  return numbers.find((number) => number !== '' && number !== '0') ?? '';
}

function faultOf(items: readonly XmlNode[], shipping: string): string | undefined {
  const amounts = [...items.map(priceIn), shipping];
  const at = amounts.findIndex((text) => text !== '' && centsOf(text) === null);
  const text = amounts[at];
  if (text === undefined) return undefined;
  const what = at < items.length ? `Position ${at + 1}, Preis` : 'Versandkosten';
  return `${what}: „${shownCell(text)}“ ist kein Betrag. Bitte schreiben Sie ihn so: 1234,50`;
}

function addressOf(order: XmlNode, name: string): Person | undefined {
  const address = find(order, 'BuyerInfo', name);
  if (address === undefined) return undefined;
  const text = (member: string) => textAt(address, member);
  const person = {
    name: `${text('FirstName')} ${text('LastName')}`.trim(),
    company: text('Company'),
    lines: [text('Street'), text('Street2')].filter((line) => line !== ''),
    postalCode: text('PostalCode'),
    city: text('City'),
    region: text('StateOrProvince'),
    country: countryCode(text('CountryISO')) || countryCode(text('Country')),
    // The mail is the buyer's wherever the parcel goes.
    email: text('Mail') || textAt(order, 'BuyerInfo', 'BillingAddress', 'Mail'),
    phone: text('Phone'),
  };
  return person.name + person.company + person.city === '' && person.lines.length === 0 ? undefined : person;
}
