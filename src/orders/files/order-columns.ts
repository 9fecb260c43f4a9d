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
};

/** What columns are called in exports of shops and marketplaces, by what they mean; the first name that a table has counts. */
const titles = {
  order: [
    'amazon-order-id',
    'bestellnummer',
    'bestell-nr',
    'auftragsnummer',
    'auftrags-nr',
    'order number',
    'number',
    // Behind the numbers that buyers know.
    'order-id',
    'auftrags-id',
    'belegnummer',
    'order no',
    'bestellung',
    'name',
  ],
  record: ['verkaufsprotokollnummer', 'sales record number'],
  shopOrder: ['orderid'],
  line: [
    'order-item-id',
    'id_order_unit',
    'positionsnummer',
    'positions-id',
    'position-item-id',
    'position',
    'orderdetailid',
    'line_id',
    'item id',
    'item #',
  ],
  placed: [
    'purchase-date',
    'bestelldatum',
    'datum',
    'ordertime',
    'order date',
    'order date time',
    'auftragsdatum',
    'bestellt am',
    'erstelldatum',
    'erstellt am',
    'order insert timestamp',
    'date inserted',
    'ts_created_iso',
    'ts_created',
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
    'custom label (sku)',
    'sku',
    'partner sku',
    'item sku',
    'product sku',
    'artikelnummer',
    'artikel-nr',
    'art-nr',
    'articlenumber',
    'lineitem sku',
    'item number',
    'seller-sku',
    'offer id',
    'id_offer',
    'item variation no',
    'variation number',
    'variantennummer',
    'varianten-nr',
  ],
  listing: ['artikelnummer', 'item number', 'ean', 'gtin'],
  title: [
    'product-name',
    'artikelname',
    'artikelbezeichnung',
    'bezeichnung',
    'articlename',
    'lineitem name',
    'item name',
    'item_title',
    'produktname',
    'positionsname',
    'titel',
    'title',
    'angebotstitel',
    'item title',
  ],
  quantity: [
    'quantity-purchased',
    'quantity',
    'menge',
    'anzahl',
    'lineitem quantity',
    'item quantity',
    'quantity (- refund)',
    'bestellmenge',
    'bestellte menge',
    'qty',
    'stück',
  ],
  /** Kaufland's orders have a row a piece. */
  unit: ['id_order_unit'],
  cancelled: ['cancel_status'],
  shipped: ['quantity-shipped'],
  price: [
    'einzelpreis',
    'stückpreis',
    'price',
    'preis',
    'lineitem price',
    'unit price',
    'vk brutto',
    'einzelpreis brutto',
    'einzelpreis (brutto)',
    'preis brutto',
    'bruttopreis',
    'item cost (inc tax)',
    'verkauft für',
    'sold for',
  ],
  netPrice: ['vk netto', 'einzelpreis netto', 'einzelpreis (netto)', 'preis netto', 'nettopreis', 'item cost'],
  lineTotal: [
    'item-price',
    'gesamtpreis',
    'gesamtpreis brutto',
    'zeilensumme',
    'line total',
    'order line total',
    'item total',
  ],
  /** What comes to the sum of a line. */
  lineTax: ['item total tax'],
  lineDiscount: ['item-promotion-discount'],
  discount: ['discount amount'],
  lineShipping: ['shipping-price'],
  shippingDiscount: ['ship-promotion-discount'],
  shipping: [
    'versandkosten',
    'versand',
    'versandkosten brutto',
    'versandkosten (brutto)',
    'shipping',
    'shipping cost',
    'shipping costs',
    'shipping total',
    'order shipping amount',
    'invoiceshipping',
    'verpackung und versand',
    'postage and packaging',
    'shipping and handling',
  ],
  shippingTax: ['shipping_tax_total'],
  tax: [
    'mwst',
    'mwst-satz',
    'mwst (%)',
    'mwst %',
    'mwst in %',
    'steuersatz',
    'steuersatz (%)',
    'steuersatz in %',
    'tax rate',
    'vat rate',
    'ust',
    'ust-satz',
    'inklusive mehrwertsteuersatz',
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

const plainTitles = new Map(Object.entries(titles).map(([column, names]) => [column, names.map(plainTitle)]));
const plainBesides = new Map(
  Object.entries(besides).map(([title, others]) => [plainTitle(title), others.map(plainTitle)]),
);

/** Where a column stands in a table with these names, as `plainTitle` makes them; -1: nowhere. */
export function columnIn(names: readonly string[], column: Column): number {
  const isMeant = (title: string) => plainBesides.get(title)?.some((other) => names.includes(other)) ?? true;
  const title = plainTitles.get(column)?.find((one) => names.includes(one) && isMeant(one));
  return title === undefined ? -1 : names.indexOf(title);
}
