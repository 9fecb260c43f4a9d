/** A name of a column without what programs write differently: Bestell-Nr., bestellnr and bestell_nr are one. */
export const plainTitle = (title: string): string => title.toLowerCase().replaceAll(/[\s_.:-]+/g, '');

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
  // Wholesalers' tables of sold lines know orders by their invoices; elsewhere a description is no title.
  'invoice no': ['stockcode'],
  invoice: ['stockcode'],
  description: ['stockcode'],
  // Elsewhere the numbers of states may mean others.
  orderstatusid: ['orderdetailid'],
};

/** Names that do not mean this beside all of these columns. */
const unless: Readonly<Record<string, readonly string[]>> = {
  // A plugin of WooCommerce writes the shop's id before the number that buyers know.
  order_id: ['order_number', 'item_sku'],
};

/**
 * What columns are called in exports of shops and marketplaces, by what they mean. The first name that a table has counts: what is learned
 * goes behind the others, so that files are read as before.
 */
const titles = {
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
  ],
  /** Kaufland's orders have a row a piece. */
  unit: ['id_order_unit'],
  /** What became of a line, and of the whole order. */
  lineState: ['cancel_status', 'lineitem fulfillment status', 'item status', 'positionsstatus'],
  orderState: ['order status', 'bestellstatus', 'auftragsstatus'],
  /** Of an order in some files, of a line in others. */
  bareState: ['status'],
  cancelledAt: ['cancelled at'],
  stateNumber: ['orderstatusid'],
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
    'vk brutto',
    'einzelpreis brutto',
    'einzelpreis (brutto)',
    'preis brutto',
    'bruttopreis',
    'item cost (inc tax)',
  ],
  netPrice: ['vk netto', 'einzelpreis netto', 'einzelpreis (netto)', 'preis netto', 'nettopreis', 'item cost'],
  lineTotal: ['item-price', 'gesamtpreis', 'zeilensumme', 'line total', 'gesamtpreis brutto', 'order line total'],
  /** The sum of a line without tax, and what comes to it. */
  netTotal: ['item total'],
  lineTax: ['item total tax'],
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
    'shipping cost',
    'shipping costs',
    'shipping total',
    'order shipping amount',
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
  ],
  taxState: ['net', 'tax state', 'tax status', 'price tax status', 'order tax status', 'steuerstatus'],
  taxFree: ['tax free'],
  /** What the whole order costs with tax. */
  total: ['invoiceamount', 'amount total', 'order total amount', 'order total'],
  /** The tax in it. */
  totalTax: ['order total tax amount', 'tax total'],
  currency: ['currency', 'währung', 'waehrung', 'order currency', 'currency code'],
  buyerNumber: ['purchase-order-number', 'kundenbestellnummer', 'ihre bestellnummer', 'po number'],
} satisfies Readonly<Record<string, readonly string[]>>;

/** What a column of a table of orders holds. */
export type Column = keyof typeof titles;

const plainBesides = new Map(
  Object.entries(besides).map(([title, others]) => [plainTitle(title), others.map(plainTitle)]),
);
const plainUnless = new Map(
  Object.entries(unless).map(([title, others]) => [plainTitle(title), others.map(plainTitle)]),
);

/**
 * Where a column stands in a table with these names, in small letters; -1: nowhere. Names as they are written here come before other
 * spellings, and columns with values before empty ones.
 */
export function columnIn(names: readonly string[], column: Column, isFilled: (index: number) => boolean): number {
  const plain = names.map(plainTitle);
  const isMeant = (index: number) => {
    const title = plain[index] ?? '';
    const isBeside = plainBesides.get(title)?.some((other) => plain.includes(other)) ?? true;
    return isBeside && plainUnless.get(title)?.every((other) => plain.includes(other)) !== true;
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
