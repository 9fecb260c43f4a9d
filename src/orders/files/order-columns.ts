/** Names that mean this only beside one of these columns, which the programs write that use them so. */
const besides: Readonly<Record<string, readonly string[]>> = {
  // Shopware writes its own id of an order beside it; elsewhere it may be that of a house.
  number: ['ordertime', 'orderdetailid'],
  // Elsewhere it is the unit that is counted: pieces.
  bestandseinheit: ['verkaufsprotokollnummer', 'angebotstitel'],
  // Elsewhere it is an amount.
  net: ['taxfree', 'invoiceamountnet'],
  'custom label': ['sales record number', 'item title'],
  // Of the whole order at Shopify.
  'discount amount': ['lineitem price'],
};

/** What columns are called in exports of shops and marketplaces, by what they mean; the first name that a table has counts. */
const titles: Readonly<Record<Column, readonly string[]>> = {
  order: [
    'order-id',
    'amazon-order-id',
    'bestellnummer',
    'bestell-nr',
    'bestell-nr.',
    'auftragsnummer',
    'ordernumber',
    'order number',
    'number',
    'order_id',
    'orderid',
    'bestellung',
    'name',
  ],
  shopOrder: ['orderid'],
  line: ['order-item-id', 'positionsnummer', 'position', 'orderdetailid', 'line_id', 'lineid', 'item id'],
  placed: [
    'purchase-date',
    'bestelldatum',
    'datum',
    'ordertime',
    'order date',
    'order_date',
    'orderdatetime',
    'order_date_time',
    'date',
    'created at',
    'kaufdatum',
    'verkauft am',
    'sale date',
  ],
  shipBy: ['latest-ship-date', 'promise-date', 'ship-by', 'ship by date', 'versand bis', 'spätestes versanddatum'],
  sku: [
    // Before the Artikelnummer, which is that of a listing at eBay.
    'bestandseinheit',
    'custom label',
    'sku',
    'artikelnummer',
    'artikel-nr',
    'artikel-nr.',
    'articlenumber',
    'lineitem sku',
    'item number',
    'seller-sku',
  ],
  listing: ['artikelnummer', 'item number'],
  title: [
    'product-name',
    'artikelname',
    'artikelbezeichnung',
    'bezeichnung',
    'articlename',
    'lineitem name',
    'titel',
    'title',
    'angebotstitel',
    'item title',
  ],
  quantity: ['quantity-purchased', 'quantity', 'menge', 'anzahl', 'lineitem quantity', 'qty', 'stück'],
  shipped: ['quantity-shipped'],
  price: [
    'einzelpreis',
    'stückpreis',
    'price',
    'preis',
    'lineitem price',
    'unit price',
    'unit_price',
    'verkauft für',
    'sold for',
  ],
  lineTotal: ['item-price', 'gesamtpreis', 'zeilensumme', 'line total'],
  lineDiscount: ['item-promotion-discount'],
  discount: ['discount amount'],
  lineShipping: ['shipping-price'],
  shippingDiscount: ['ship-promotion-discount'],
  shipping: [
    'versandkosten',
    'versand',
    'shipping',
    'invoiceshipping',
    'verpackung und versand',
    'postage and packaging',
    'shipping and handling',
  ],
  tax: ['mwst', 'mwst.', 'steuersatz', 'taxrate', 'tax rate', 'tax_rate', 'ust', 'inklusive mehrwertsteuersatz'],
  taxState: [
    'net',
    'tax_state',
    'taxstate',
    'tax state',
    'tax_status',
    'taxstatus',
    'tax status',
    'price_tax_status',
    'price.taxstatus',
    'order_tax_status',
    'ordertaxstatus',
    'steuerstatus',
  ],
  taxFree: ['taxfree', 'tax_free'],
  /** What the whole order costs with tax. */
  total: ['invoiceamount', 'amount_total', 'amounttotal'],
  currency: ['currency', 'währung'],
  buyerNumber: ['purchase-order-number', 'kundenbestellnummer', 'ihre bestellnummer', 'po number'],
};

/** What a column of a table of orders holds. */
export type Column =
  | 'order'
  | 'shopOrder'
  | 'line'
  | 'placed'
  | 'shipBy'
  | 'sku'
  | 'listing'
  | 'title'
  | 'quantity'
  | 'shipped'
  | 'price'
  | 'lineTotal'
  | 'lineDiscount'
  | 'discount'
  | 'lineShipping'
  | 'shippingDiscount'
  | 'shipping'
  | 'tax'
  | 'taxState'
  | 'taxFree'
  | 'total'
  | 'currency'
  | 'buyerNumber';

/** Where a column stands in a table with these names, in small letters; -1: nowhere. */
export function columnIn(names: readonly string[], column: Column): number {
  const isMeant = (title: string) => besides[title]?.some((other) => names.includes(other)) ?? true;
  const title = titles[column].find((one) => names.includes(one) && isMeant(one));
  return title === undefined ? -1 : names.indexOf(title);
}
