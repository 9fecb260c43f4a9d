/** Returns a column title without the marks that programs write differently: Bestell-Nr., bestellnr and bestell_nr become one. */
export const plainTitle = (title: string): string => title.toLowerCase().replaceAll(/[\s_.:-]+/g, '');

/**
 * Titles that have our meaning only if one of these columns is there too, which marks the program that uses them so. A key
 * 'column: title' applies to that column alone.
 */
const requiredCompanions: Readonly<Record<string, readonly string[]>> = {
  // Shopware has its own order id next to it; elsewhere it may be a house number.
  number: ['ordertime', 'orderdetailid'],
  // Elsewhere it is the unit of the quantity, such as pieces.
  bestandseinheit: ['verkaufsprotokollnummer', 'angebotstitel'],
  // Elsewhere it is an amount.
  net: ['taxfree', 'invoiceamountnet'],
  'custom label': ['sales record number', 'item title'],
  // At Shopify it is the discount of the whole order, at Magento that of a line.
  'discount: discount amount': ['lineitem price'],
  'lineDiscount: discount_amount': ['qty_ordered'],
  // At Magento `price` is net; the gross price is `price_incl_tax`.
  'netPrice: price': ['qty_ordered'],
  // The number that Magento's buyers know; elsewhere it stands next to the order's number.
  'order: increment_id': ['qty_ordered', 'base_grand_total'],
  'item: item_id': ['qty_ordered'],
  'parent: parent_item_id': ['qty_ordered'],
  // Olist's tables have one row per piece.
  'unit: order_item_id': ['freight_value'],
  product_id: ['freight_value'],
  // Wholesalers' tables of sold lines identify orders by invoice; elsewhere a description is no title.
  'invoice no': ['stockcode'],
  invoice: ['stockcode'],
  description: ['stockcode'],
  // Elsewhere the same numbers may mean other states.
  orderstatusid: ['orderdetailid'],
};

/** Titles that do not have our meaning if all of these columns are there too. */
const excludingCompanions: Readonly<Record<string, readonly string[]>> = {
  // A WooCommerce plugin writes the shop's id in it and the number that buyers know in order_number.
  order_id: ['order_number', 'item_sku'],
  'price: price': ['qty_ordered'],
};

/**
 * Column titles in exports of shops and marketplaces, by meaning. The first title that a table has counts: new titles are added
 * at the end, so that files are read as before.
 */
const titles = {
  order: [
    'increment_id',
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
    'auftrags-nr',
    'auftrags-id',
    'belegnummer',
    'order no',
    'id_order',
    'invoice no',
    'invoice',
  ],
  record: ['verkaufsprotokollnummer', 'sales record number'],
  shopOrder: ['orderid'],
  line: [
    'order-item-id',
    'positionsnummer',
    'position',
    'orderdetailid',
    'line_id',
    'lineid',
    'item id',
    'id_order_unit',
    'positions-id',
    'position-item-id',
    'item #',
  ],
  placed: [
    'purchase-date',
    'bestelldatum',
    'datum',
    'ordertime',
    'order date',
    'order_date',
    'date',
    'created at',
    'kaufdatum',
    'verkauft am',
    'sale date',
    'order date time',
    'auftragsdatum',
    'bestellt am',
    'erstelldatum',
    'erstellt am',
    'order insert timestamp',
    'date inserted',
    'ts_created_iso',
    'ts_created',
    'invoice date',
    'order_purchase_timestamp',
  ],
  shipBy: [
    'latest-ship-date',
    'promise-date',
    'ship-by',
    'ship by date',
    'versand bis',
    'spätestes versanddatum',
    'shipping_limit_date',
  ],
  sku: [
    // Before Artikelnummer, which is eBay's listing number.
    'bestandseinheit',
    'custom label',
    'sku',
    'artikelnummer',
    'artikel-nr',
    'artikel-nr.',
    'articlenumber',
    'lineitem sku',
    'custom label (sku)',
    'item number',
    'seller-sku',
    'partner sku',
    'item sku',
    'product sku',
    'art-nr',
    'offer id',
    'id_offer',
    'item variation no',
    'variation number',
    'variantennummer',
    'varianten-nr',
    'stock code',
    'product_id',
  ],
  listing: ['artikelnummer', 'item number', 'ean', 'gtin'],
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
    'item name',
    'item_title',
    'produktname',
    'positionsname',
    'description',
  ],
  quantity: [
    'quantity-purchased',
    'quantity',
    'menge',
    'anzahl',
    'lineitem quantity',
    'qty',
    'stück',
    'item quantity',
    'quantity (- refund)',
    'bestellmenge',
    'bestellte menge',
    'qty_ordered',
  ],
  /** Kaufland's and Olist's tables have one row per piece. */
  unit: ['id_order_unit', 'order_item_id'],
  /** Magento's ids of a line and of its parent line. */
  item: ['item_id'],
  parent: ['parent_item_id'],
  /** The state of a line, and of the whole order. */
  lineState: ['cancel_status', 'lineitem fulfillment status', 'item status', 'positionsstatus'],
  orderState: ['order status', 'bestellstatus', 'auftragsstatus'],
  /** The state of an order in some files, of a line in others. */
  bareState: ['status'],
  cancelledAt: ['cancelled at'],
  stateNumber: ['orderstatusid'],
  shipped: ['quantity-shipped', 'qty_shipped'],
  cancelledCount: ['qty_canceled'],
  refunded: ['qty_refunded'],
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
    'vk brutto',
    'einzelpreis brutto',
    'einzelpreis (brutto)',
    'preis brutto',
    'bruttopreis',
    'item cost (inc tax)',
    'price_incl_tax',
  ],
  netPrice: ['vk netto', 'einzelpreis netto', 'einzelpreis (netto)', 'preis netto', 'nettopreis', 'item cost', 'price'],
  lineTotal: ['item-price', 'gesamtpreis', 'zeilensumme', 'line total', 'gesamtpreis brutto', 'order line total'],
  /** The sum of a line without tax, and its tax. */
  netTotal: ['item total'],
  lineTax: ['item total tax'],
  lineDiscount: ['item-promotion-discount', 'discount_amount'],
  discount: ['discount amount'],
  lineShipping: ['shipping-price', 'freight_value'],
  shippingDiscount: ['ship-promotion-discount'],
  shipping: [
    'versandkosten',
    'versand',
    'shipping',
    'invoiceshipping',
    'verpackung und versand',
    'postage and packaging',
    'shipping and handling',
    'shipping cost',
    'shipping costs',
    'shipping total',
    'order shipping amount',
    'shipping_incl_tax',
  ],
  grossShipping: ['versandkosten brutto', 'versandkosten (brutto)'],
  shippingTax: ['shipping_tax_total'],
  tax: [
    'mwst',
    'mwst.',
    'steuersatz',
    'taxrate',
    'tax rate',
    'ust',
    'inklusive mehrwertsteuersatz',
    'mwst-satz',
    'mwst (%)',
    'mwst %',
    'mwst in %',
    'steuersatz (%)',
    'steuersatz in %',
    'vat rate',
    'ust-satz',
    'tax_percent',
  ],
  taxState: ['net', 'tax state', 'tax status', 'price tax status', 'order tax status', 'steuerstatus'],
  taxFree: ['tax free'],
  /** The total of the order with tax. */
  total: ['invoiceamount', 'amount total', 'order total amount', 'order total'],
  /** The tax included in the total. */
  totalTax: ['order total tax amount', 'tax total'],
  currency: ['currency', 'währung', 'waehrung', 'order currency', 'currency code'],
  buyerNumber: ['purchase-order-number', 'kundenbestellnummer', 'ihre bestellnummer', 'po number'],
} satisfies Readonly<Record<string, readonly string[]>>;

/** The meaning of a column in a table of orders. */
export type Column = keyof typeof titles;

const plainBesides = new Map(
  Object.entries(requiredCompanions).map(([title, others]) => [plainTitle(title), others.map(plainTitle)]),
);
const plainUnless = new Map(
  Object.entries(excludingCompanions).map(([title, others]) => [plainTitle(title), others.map(plainTitle)]),
);

/**
 * Returns the index of a column among the given titles (in small letters), -1 if absent. Exact titles come before other
 * spellings, columns with values before empty ones.
 */
export function columnIn(names: readonly string[], column: Column, isFilled: (index: number) => boolean): number {
  const plain = names.map(plainTitle);
  // A set: a header may have thousands of titles.
  const titled = new Set(plain);
  const isMeant = (index: number) => {
    const title = plain[index] ?? '';
    const rule = (rules: ReadonlyMap<string, readonly string[]>) =>
      rules.get(plainTitle(`${column}:${title}`)) ?? rules.get(title);
    const isBeside = rule(plainBesides)?.some((other) => titled.has(other)) ?? true;
    return isBeside && rule(plainUnless)?.every((other) => titled.has(other)) !== true;
  };
  const named = (all: readonly string[], title: string) =>
    all.flatMap((name, index) => (name === title && isMeant(index) ? [index] : []));
  const written: readonly string[] = titles[column];
  const found = [
    ...written.flatMap((title) => named(names, title)),
    ...written.flatMap((title) => named(plain, plainTitle(title))),
  ];
  return found.find(isFilled) ?? found[0] ?? -1;
}
